## Scanning barcodes

scan-title = Scan
scan-what = What a scan does
scan-add = Add
scan-use = Use one
scan-tick = Check off
scan-put-away = Put away
scan-code = Barcode
scan-code-hint = Type the number under the bars, or use a hand scanner.
scan-do = Continue
scan-in-stock = in stock: { $amount }
scan-unknown = { $code } is new
scan-unknown-text = What is it called? Next time it is recognized.
scan-remember = Remember
scan-camera = Camera
scan-camera-view = What the camera sees
scan-start = Start camera
scan-stop = Stop camera
scan-continuous = Keep scanning
scan-count = Scanned:
scan-denied = The camera cannot be used. Allow it in the browser's settings, or type the number.
notice-scan-added = One added.
notice-scan-used = One used.
notice-scan-none-left = There was none left.
notice-scan-ticked = Checked off.
notice-scan-put-away = Put away.
notice-scan-not-on-list = It is not on the shopping list.
