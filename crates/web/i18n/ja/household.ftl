## 家族: メンバーとお知らせ

household-name = 家族の名前
household-name-example = 田中家
household-zone = タイムゾーン
household-zone-hint = 一日の区切りです。期限の「今日」がいつかを決めます。
household-currency = 通貨
household-currency-hint = 価格の通貨です。変えても金額は換算されません。
household-auto-list = 残りが少ないものを自動で買い物リストに入れる
household-auto-list-hint = 「お知らせする残量」と「買い物後の目標数量」を登録した商品が対象です。商品ごとに外すこともできます。
household-settings = 家族の設定
household-more = 家族のその他のページ
household-sensor-keys = デバイスキー
notice-household-saved = 保存しました。

members-title = メンバー
members-you = （あなた）
members-admin = 管理者
members-member = メンバー
members-since = { $day }から
members-make-admin = 管理者にする
members-make-member = メンバーにする
members-remove = 外す
members-remove-sure = { $name }さんを家族から外しますか？アカウントは残りますが、家族の内容は見られなくなります。
notice-role-changed = 役割を変更しました。
notice-member-removed = メンバーから外しました。

invite-title = 家族を招待する
invite-how = QRコードを撮ってもらうか、リンクを送るか、コードを伝えてください。知っている人はだれでも参加できます。
invite-code = 招待コード
invite-link = リンク
invite-qr = 招待リンクのQRコード
invite-copy = リンクをコピー
invite-share = 共有
invite-share-text = Larder の家族に招待します
invite-replace-why = コードが知らない人に渡ってしまったら、新しいコードを作ってください。古いコード・リンク・QRコードは使えなくなります。
invite-replace = 新しいコードを作る
invite-replace-sure = 新しい招待コードを作りますか？古いコードとリンクはすぐに使えなくなります。
notice-invite-replaced = 新しいコードを作りました。古いコードはもう使えません。

leave-title = 家族から抜ける
leave-what = アカウントは残りますが、家族の内容は見られなくなります。あなたが登録したものは家族に残ります。
leave-only-admin = 管理者はあなただけです。家族には管理者が一人以上必要なので、抜ける前に別の人を管理者にしてください。
leave-action = 抜ける
leave-sure = 家族から抜けますか？
leave-alone = メンバーはあなた一人です。抜けると家族もなくなるため、家族を削除してください。
erase-household = 家族を削除する
erase-household-title = { $name }
erase-household-what = 在庫、買い物リスト、タグ、センサーとその記録、もの、すべての履歴が完全に消え、元に戻せません。あなたのアカウントと個人の在庫は残ります。
erase-household-others = ほかの{ $count }人のメンバーも使えなくなります。
erase-export-first = あとで見返すかもしれない場合は、先に控えをダウンロードしてください。
erase-household-type = 続けるには、家族の名前「{ $name }」を入力してください
erase-household-action = 完全に削除する
erase-household-keep-stock = 在庫は自分のものとして残す

## 保管場所とお店

places-title = お店と保管場所
places-change = お店と保管場所を編集
places-stores = お店
places-stores-none = よく行くお店を登録すると、買い物リストがお店ごとにまとまります。
places-stores-order = 買い物リストにはこの順番で表示されます。
places-store-up = { $name }を上へ
places-store-down = { $name }を下へ
places-store-add = お店を追加
places-store-name = お店
places-store-address = 住所（任意）
places-store-delete-sure = このお店を削除しますか？ここで買うことにしていたものは、お店の指定がなくなります。
places-locations = 保管場所
places-given = はじめからある場所：
places-locations-none = 床下収納、二台目の冷凍庫、廊下の戸棚など、自分の場所を追加できます。
places-location-add = 保管場所を追加
places-location-name = 保管場所
places-location-delete-sure = この保管場所を削除しますか？ここにあったものは、場所の指定がなくなります。
places-device = センサー { $device }
notice-place-added = 追加しました。
notice-place-saved = 保存しました。
notice-place-deleted = 削除しました。

## お知らせ

notifications-none = お知らせはありません
notifications-none-what = 残りが少ないものや期限が近いものがあると、ここでお知らせします。品物に期限と、少ないとみなす量を登録してください。
notifications-nothing-new = 新しいお知らせはありません
notifications-still = 現在の在庫：
notifications-low = 残りわずか
notifications-soon = もうすぐ期限
notifications-expired = 期限切れ
notifications-low-what = 残り{ $left }（目安{ $wanted }）
notifications-used-up-what = なくなりました（目安{ $wanted }）
notifications-soon-what = 期限は{ $day }
notifications-expired-what = 期限は{ $day }でした
notifications-ended = { $ago }に解消
notifications-see = 既読にする
notifications-see-all = すべて既読にする
notifications-seen = 既読（まだ続いているもの）
notifications-over = 解消したもの
notifications-over-what = 解消したお知らせは30日間残ります。
notice-notification-seen = 既読にしました。
notice-notifications-seen = すべて既読にしました。
channels-title = ほかのお知らせ方法
channels-here = この画面：ログインしているすべての端末に、その場で届きます。
channels-mail = メール：メールアドレスを確認したメンバーに、新しいお知らせのたびに届きます（1日の上限があります）。
channels-webhook = ほかのプログラムへの通知（Webhook）：サーバーの管理者が設定しています。
channels-none = 今はほかの方法はありません。サーバーの管理者は、メールやほかのプログラムへの通知（Webhook）を設定できます。

## お試し用のデータ

demo-offer = デモデータで試す
demo-offer-what = 約20個の品物、三つのお店の買い物リスト、いくつかの持ち物を入れて試せます。ワンクリックですべて消せます。自分で登録したものは消えません。
demo-add = デモデータを入れる
demo-there = デモデータが入っています
demo-there-what = 自由に見て、変更してみてください。終わったらワンクリックで消せます。自分で登録したものは残ります。
demo-remove = デモデータを消す
demo-remove-sure = デモデータを、加えた変更も含めて消しますか？自分で登録したものは残ります。
notice-demo-added = デモデータを入れました。いろいろ見てみてください。
notice-demo-removed = デモデータを消しました。
