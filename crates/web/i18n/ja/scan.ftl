## バーコードの読み取り

scan-title = スキャン
scan-what = 読み取ったあとの操作
scan-add = 追加
scan-use = 1つ使う
scan-tick = 買い物済みにする
scan-put-away = しまう
scan-code = バーコード
scan-code-hint = バーの下の数字を入力するか、ハンドスキャナーを使ってください。
scan-do = 次へ
scan-in-stock = 在庫：{ $amount }
scan-unknown = { $code } は初めてのコードです
scan-unknown-text = 何という品物ですか。次からは自動で分かります。
scan-remember = 覚える
scan-camera = カメラ
scan-camera-view = カメラの映像
scan-start = カメラを使う
scan-stop = カメラを止める
scan-continuous = 続けて読み取る
scan-count = 読み取った数：
scan-denied = カメラを使えません。ブラウザーの設定で許可するか、番号を入力してください。
notice-scan-added = 1つ追加しました。
notice-scan-used = 1つ使いました。
notice-scan-none-left = 在庫がありませんでした。
notice-scan-ticked = 買い物済みにしました。
notice-scan-put-away = しまいました。
notice-scan-not-on-list = 買い物リストにありません。
