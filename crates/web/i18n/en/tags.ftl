## Tags on shelves and jars, and the labels to print for them.

tags-title-of = Tags of { $item }
tags-new = New tag
tags-to-item = To the item
tags-print-labels = Print labels
tags-to-newest = To the newest
tags-per-tap = { $step } per tap
tags-opened = { $count ->
    [0] Never opened
    [one] Opened once
   *[other] Opened { $count } times
}
tags-replaced = Replaced
tags-dead = Item deleted
tags-empty-title = No tags yet
tags-empty-what = A tag on a shelf or a jar counts for you: hold a phone to it, or scan its QR code, and one is taken. No app, no login.
tags-empty-how = Choose an item, make its tag, and write the address to an NFC sticker or print it as a label.
tags-empty-first = Make the first tag
tags-members-title = Admins look after the tags
tags-members-why = Everybody may use the tags in your home. Their addresses are shown to admins only, because whoever holds one can change the stock.
tags-members-whom = Who is an admin?
notice-tag-made = The tag is made. Now write it to a sticker, or print it.
notice-tag-saved = The tag is saved.
notice-tag-deleted = The tag is deleted.
notice-tag-replaced = The old address has stopped working. This is the new one: write it to the sticker, or print a new label.

## Creating a tag.

tags-which-item = Which item is it for?
tags-press-item = Choose an item
tags-no-items = A tag belongs to an item, and there are none yet.
tags-add-items = Add what is at home
tags-none-found = No item has a word that begins like this.
tags-show-all = Show all items
tags-search-more = There are more: search for the others.
tags-new-for = New tag for { $item }
tags-field-label = Label (optional)
tags-label-hint = Where it is or what it is for, such as “fridge door”. It is printed on the label.
tags-field-step = How much one tap takes
tags-step-in = How much one tap takes, in { $unit }
tags-step-hint = From 0.01 to 1000. The page that opens can put it back, too.
tags-make = Make the tag
tags-other-item = Another item

## One tag.

tags-warning = Whoever has the address of a tag can take or put back its item without logging in. Share it only with those who may. Replacing the tag ends that for good.
tags-about = About this tag
tags-fact-tap = One tap takes
tags-fact-left = Left now
tags-fact-used = Used
tags-fact-made = Made
tags-others = Tags of this item
tags-address = Its address
tags-qr = QR code of the tag’s address
tags-print-label = Print a label
tags-nfc-title = Put it on an NFC tag
tags-nfc-now = Press the button, then hold an empty NFC sticker to the back of the phone.
tags-nfc-write = Write to NFC tag
tags-nfc-waiting = Hold the sticker to the back of the phone now, and keep it there …
tags-nfc-written = Written. Hold the phone to the sticker again to try it: that takes one.
tags-nfc-cancelled = Cancelled. Nothing was written.
tags-nfc-denied = The browser may not use NFC here. Allow it in the settings of this site, then try again.
tags-nfc-unsupported = This phone has no NFC, or this sticker cannot hold an address. Try another sticker (NTAG213 or NTAG215).
tags-nfc-off = NFC is switched off, or another app is using it. Switch it on in the phone’s settings, then try again.
tags-nfc-lost = The sticker was moved too soon, or it is locked. Keep it still and try again.
tags-nfc-failed = That did not work. Keep the sticker still at the back of the phone and try again.
tags-nfc-none = This browser cannot write NFC tags. An app on your phone can:
tags-nfc-step-copy = Open this page on the phone and copy the address.
tags-nfc-step-app = Install an app that writes tags, such as “NFC Tools” (Android and iPhone), and choose Write, then Add a record, then URL.
tags-nfc-step-write = Paste the address, press Write, and hold the phone to the sticker.
tags-nfc-step-try = Hold the phone to the sticker again to try it: that takes one.
tags-nfc-chrome = Chrome on Android writes tags from this page without an app, if Larder is opened over https.
tags-nfc-kinds = Any NTAG213 or NTAG215 sticker will do; on metal, one made for metal. Do not lock it, so that it can be written again after the tag was replaced.
tags-replace-title = Lost, or seen by somebody who should not?
tags-replace-what = Replace the tag: it gets a new address with the same item, label and step.
tags-replace-open = Replace this tag
tags-replace-sure = The address above stops working at once and for good, wherever it was copied or printed. The sticker has to be written again and the label printed again. There is no way back.
tags-replace-yes = Replace it for good
tags-dead-what = The item of this tag was deleted, so the tag does nothing any more. Take it off the shelf, then delete it here.
tags-delete-text = Its address becomes unknown at once and for good: whoever opens it is told that there is no such tag. An NFC sticker can be written again for another tag; a printed label is of no use any more.
tags-delete-yes = Delete this tag
tags-replaced-when = This tag was replaced on { $when }. Its address does not work any more.

## Labels.

tags-labels-none = There is no tag to print yet.
tags-labels-what = Each label has the QR code of a tag, its item, its label, and how much a tap takes.
tags-labels-choose = Choose at least one tag.
tags-labels-which = Which tags
tags-labels-all = Choose all
tags-labels-no-tags = Choose none
tags-labels-paper = On what paper
tags-field-format = Labels
tags-field-used = Labels that are used up
tags-used-hint = On the first sheet, counted row by row. Only for sheets.
tags-format-sheets = Sheets (A4)
tags-format-singles = Label printer
tags-format-a4-24 = A4, 24 labels of 70 × 37 mm
tags-format-a4-21 = A4, 21 labels of 63.5 × 38.1 mm
tags-format-a4-14 = A4, 14 labels of 99.1 × 38.1 mm
tags-format-roll-62 = 62 mm roll, cut at 29 mm
tags-format-long-29 = 29 × 90 mm
tags-format-small-50 = 50 × 30 mm
tags-labels-show = Show the labels
tags-left-out = { $count ->
    [one] One tag was left out: it was replaced, or its item deleted.
   *[other] { $count } tags were left out: they were replaced, or their items deleted.
}
tags-sheet-how = Print with the browser on { $format }: at 100 % (true size), without margins, headers or footers.
tags-choose-again = Choose again
tags-preview = Preview
