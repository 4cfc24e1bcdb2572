//! What is read from sheets of codes.

use std::time::Instant;

use image::imageops::{rotate90, rotate180};
use image::{DynamicImage, GrayImage, ImageFormat, Luma};
use jiff::civil::date;
use rxing::BarcodeFormat;
use rxing::datamatrix::DataMatrixWriter;
use rxing::{EncodeHints, Writer};

use super::*;
use crate::samples::{draw, encoded, frame, modules, noise, png, sheet};

fn today() -> Date {
    date(2026, 11, 18)
}

fn read(sheet: &GrayImage) -> Vec<Code> {
    read_codes(&frame(sheet), today()).unwrap()
}

fn with_code(format: BarcodeFormat, text: &str) -> GrayImage {
    let mut sheet = sheet(700, 400);
    draw(&mut sheet, &modules(format, text), (60, 60), 4, 200);
    sheet
}

fn gtin(text: &str) -> Gtin {
    Gtin::parse(text).unwrap()
}

#[test]
fn every_format_is_read() {
    for (written, format, text, product) in [
        (BarcodeFormat::EAN_8, CodeFormat::Ean8, "96385074", Some(gtin("96385074"))),
        (BarcodeFormat::EAN_13, CodeFormat::Ean13, "4006381333931", Some(gtin("4006381333931"))),
        (BarcodeFormat::UPC_A, CodeFormat::UpcA, "036000291452", Some(gtin("036000291452"))),
        (BarcodeFormat::ITF, CodeFormat::Itf14, "10614141000415", Some(gtin("10614141000415"))),
        (BarcodeFormat::CODE_128, CodeFormat::Code128, "Box 7", None),
        (BarcodeFormat::QR_CODE, CodeFormat::QrCode, "https://example.org/麦茶", None),
        (BarcodeFormat::DATA_MATRIX, CodeFormat::DataMatrix, "shelf 3", None),
    ] {
        let expected =
            Code { format, text: text.to_owned(), gtin: product, expiration: None, lot: None };
        let sheet = with_code(written, text);
        for turned in [sheet.clone(), rotate90(&sheet), rotate180(&sheet)] {
            assert_eq!(read(&turned), std::slice::from_ref(&expected), "{format:?}");
        }
        let as_png = encoded(&DynamicImage::ImageLuma8(sheet), ImageFormat::Png);
        assert_eq!(read_codes(&as_png, today()), Ok(vec![expected]));
    }
}

#[test]
fn element_strings_give_number_date_and_lot() {
    let number = Some(gtin("09501101530003"));
    let expiration = Some(ExpirationDate::parse("2027-01-31").unwrap());
    // FNC1 in front, as the writers spell it.
    let hints = EncodeHints {
        Gs1Format: Some(true),
        DataMatrixCompact: Some(true),
        ..EncodeHints::default()
    };
    let text = "01095011015300031727013110AB";
    let mut on_matrix = sheet(400, 400);
    let matrix = DataMatrixWriter.encode_with_hints(
        &format!("\u{1d}{text}"),
        &BarcodeFormat::DATA_MATRIX,
        0,
        0,
        &hints,
    );
    draw(&mut on_matrix, &matrix.unwrap(), (60, 60), 6, 0);
    let mut bars = sheet(900, 300);
    let modules = modules(BarcodeFormat::CODE_128, &format!("\u{f1}{text}"));
    draw(&mut bars, &modules, (40, 40), 3, 200);
    let printed = with_code(BarcodeFormat::QR_CODE, "(01)09501101530003(17)270131(10)AB");
    for (sheet, format) in [
        (on_matrix, CodeFormat::DataMatrix),
        (bars, CodeFormat::Code128),
        (printed, CodeFormat::QrCode),
    ] {
        let codes = read(&sheet);
        let [code] = codes.as_slice() else { panic!("{format:?}: {codes:?}") };
        assert_eq!((code.format, code.gtin, code.expiration), (format, number, expiration));
        assert_eq!(code.lot.as_deref(), Some("AB"));
    }
}

#[test]
fn several_codes_are_read_each_once() {
    let mut sheet = sheet(1280, 960);
    for (format, text, at) in [
        (BarcodeFormat::EAN_13, "4006381333931", (60, 60)),
        (BarcodeFormat::EAN_8, "96385074", (700, 60)),
        (BarcodeFormat::ITF, "10614141000415", (60, 700)),
        (BarcodeFormat::QR_CODE, "shelf", (760, 500)),
        (BarcodeFormat::EAN_13, "4006381333931", (60, 400)),
    ] {
        draw(&mut sheet, &modules(format, text), at, 3, 160);
    }
    let mut texts: Vec<_> = read(&sheet).into_iter().map(|code| code.text).collect();
    texts.sort();
    assert_eq!(texts, ["10614141000415", "4006381333931", "96385074", "shelf"]);
}

#[test]
fn a_picture_without_codes_has_none() {
    for picture in [png(&noise(640, 480, 3)), frame(&sheet(640, 480)), frame(&sheet(1, 1))] {
        assert_eq!(read_codes(&picture, today()), Ok(vec![]));
    }
    // Digits whose check digit is wrong are not a product number.
    let mut lottery = sheet(500, 300);
    draw(&mut lottery, &modules(BarcodeFormat::CODE_128, "4006381333932"), (40, 40), 3, 200);
    assert_eq!(read(&lottery)[0].gtin, None);
}

/// Made to be slow: every search finds something to look at. Debug builds of a busy machine take a
/// fraction of the limit.
#[test]
fn hostile_patterns_end_soon() {
    let (width, height) = (1280, 1280);
    let finders = |size: u32| {
        GrayImage::from_fn(width, height, |x, y| {
            let (x, y) = (x / size % 8, y / size % 8);
            let ring = x.abs_diff(3).max(y.abs_diff(3));
            Luma([if x == 7 || y == 7 || ring == 2 { 255 } else { 0 }])
        })
    };
    let mut codes = sheet(width, height);
    let number = |n: u32| {
        let check = (0..10).find(|check| Gtin::parse(&format!("{n:07}{check}")).is_ok()).unwrap();
        format!("{n:07}{check}")
    };
    for n in 0..13 * 90 {
        let (column, row) = (n % 13, n / 13);
        let bars = modules(BarcodeFormat::EAN_8, &number(n));
        draw(&mut codes, &bars, (column * 95, row * 14), 1, 12);
    }
    let stripes =
        GrayImage::from_fn(width, height, |x, _| Luma([if x % 2 == 0 { 0 } else { 255 }]));
    for picture in [finders(1), finders(2), finders(3), codes, stripes] {
        let bytes = encoded(&DynamicImage::ImageLuma8(picture), ImageFormat::Png);
        let began = Instant::now();
        let found = read_codes(&bytes, today()).unwrap();
        println!("{} codes after {:?}", found.len(), began.elapsed());
        assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    }
}

#[test]
fn the_names_of_formats_are_those_of_browsers() {
    let names = CodeFormat::ALL.map(CodeFormat::as_str);
    assert_eq!(names, ["ean_8", "ean_13", "upc_a", "itf", "code_128", "qr_code", "data_matrix"]);
}
