## すべてのページに共通

skip-to-content = 本文へ移動
nav-sections = アプリの各部
nav-household-and-me = 家族と自分
nav-stock = 在庫
nav-shopping = 買い物
nav-tags = タグ
nav-sensors = センサー
nav-things = 持ち物
nav-household = 家族
nav-notifications = お知らせ
nav-unseen = 未確認{ $count }件
status-offline = 電波がないため、保存されていません。つながってからもう一度お試しください。
status-failed = うまくいきませんでした。もう一度お試しください。
link-loopback = このアドレスは、Larder が動いているコンピューターでしか開けません。家のネットワークでのこのコンピューターのアドレスで Larder を開くか、--public-url を付けて起動してから、このページに戻ってください。

## 多くのページで使うことば

action-save = 保存
action-cancel = キャンセル
action-add = 追加
action-delete = 削除
action-edit = 編集
action-back = 戻る
action-more = もっと見る
action-search = 検索
action-copy = コピー
action-copied = コピーしました
action-print = 印刷
add-refused = 追加できませんでした。押して直せます：
action-dismiss = 閉じる
field-name = 名前
field-notes = メモ
field-quantity = 数量
field-unit = 単位
ago-now = たった今
ago-minutes = { $count }分前
ago-hours = { $count }時間前
count-days = { $count }日
ago-days = { $count }日前

## うまくいかないとき

failure-title = うまくいきませんでした
failure-home = 最初のページへ
failure-not-found = ここには何もありません。削除されたか、あなたが見られるものではありません。
failure-forged = このフォームは古いか、別のサイトから送られたため、何も変更していません。ページを読み込み直してもう一度お試しください。
failure-malformed = フォームを読み取れないため、何も変更していません。ページを読み込み直してもう一度お試しください。
failure-too-large = 一度に送れる量を超えています。何も変更していません。
failure-again = もう一度送る
failure-invalid = 「{ $field }」を確認してください。{ $rule }何も変更していません。
failure-too-often = 回数が多すぎます。1分ほど待ってください。
failure-credentials = メールアドレスかパスワードが違います。
failure-email-taken = このメールアドレスのアカウントはすでにあります。ログインしてください。
failure-admin-required = この操作は家族の管理者だけができます。管理者に頼んでください。
failure-already-in-household = すでに家族に入っています。先に今の家族から抜けてください。一人が入れる家族は一つです。
failure-mail-unavailable = 今はメールを送れません。しばらくしてから、もう一度お試しください。
failure-registration-closed = 有効な招待がないため、アカウントを作れませんでした。家族の管理者に新しい招待をお願いしてください。
failure-invite-not-found = この招待コードの家族はありません。古いコードは使えなくなるので、今のコードを聞いてください。
failure-last-admin = 家族には管理者が一人以上必要です。先に別の人を管理者にしてください。
failure-name-taken = 同じ名前がすでにあります。別の名前にしてください。
failure-unit-mismatch = 同じものが換算できない単位で登録されています。その単位か、別の名前を使ってください。
failure-lots-unit = 換算できる単位の在庫がありません。それぞれの在庫から減らしてください。
failure-lots-exact = 大きい単位の在庫から、その量をちょうど減らせません。きりのよい量にしてください。
failure-duplicate-product = 同じ名前の商品があります。
failure-barcode-taken = 同じバーコードの商品があります。
failure-too-many-barcodes = 一つの商品に登録できるバーコードは20個までです。
failure-product-has-lots = 在庫が残っています。先に削除してください。
failure-not-enough = そんなにたくさんはありません。
failure-too-many-lots = 一度に使う量が多すぎます。分けて使ってください。
failure-quota-exceeded = 数が上限に達しています。不要なものを削除してください。
failure-image-refused = この画像は使えません。破損のない2500万画素以下のJPEG、PNG、WebPを選んでください。
failure-duplicate-item = 同じ名前と期限の品物があります。
failure-duplicate-shopping = すでにリストにあります。
failure-quantity-overflow = 一つの品物に入る量（99,999,999.99）を超えています。
failure-nothing-to-undo = 最後の変更は元に戻せません。
failure-changed-meanwhile = その間に別の人が変更しました。ページを読み込み直して今の内容を確認してください。
failure-cycle = 自分自身や、自分の中にあるものの中へは入れられません。
failure-unique-taken = この値は別のものが使っています。同じ値は一つだけです。
failure-reserved-type = この種類は Larder が使います。別の種類にしてください。
failure-schema-too-new = 新しいバージョンの Larder が書いたものです。変更するには更新してください。
failure-tag-gone = このタグは交換されたか、品物が削除されました。
failure-choice-gone = 選んだものはもうありません。ページを読み込み直して選び直してください。
failure-internal = こちらで問題が起きました。記録しましたので、もう一度お試しください。
failure-unavailable = 今は保存先に接続できません。少し待ってからもう一度お試しください。

## 入力のきまり

rule-unstated = 入力内容を確認してください。
rule-missing = 入力してください。
rule-too-short = { $count }文字以上で入力してください。
rule-too-long = { $count }文字以内で入力してください。
rule-text = 1～{ $count }文字で入力してください。
rule-control = 表示できない文字が含まれています。入力し直してください。
rule-url = http:// か https:// で始まるアドレスを入力してください。
rule-email = anna@example.org のようなメールアドレスを入力してください。
rule-date = 1900年から2100年までの日付を入力してください（例：2027-02-28）。
rule-span = 開始日は終了日より前で、期間が長すぎないようにしてください。
rule-choice = リストから選んでください。
rule-number = 2 や 1.5 のような数字を入力してください。
rule-separators = 二通りに読めます。桁区切りなし、小数は2桁までで入力してください（例：1500、1.5）。
rule-negative = 0 以上の数字を入力してください。
rule-zero = 0 以外の数字を入力してください。
rule-too-precise = 小数は2桁までにしてください（例：1.25）。
rule-too-large = 99,999,999.99 以下にしてください。
rule-whole = { $least }～{ $most } の整数を入力してください。
rule-step = 0 より大きく 1000 以下の数字を入力してください。
rule-kind = 文字と数字の名前を入力してください（例：箱）。
rule-property = 英字で始めて、英字・数字・_ だけで入力してください。
rule-scanned-code = バーコードの番号として正しくありません。バーの下の数字を確認してください。
rule-urn = urn: で始まる名前をすべて入力してください。
rule-barcode = 8・12・13・14桁の数字を、1行に1件ずつ入力してください。
rule-check-digit = 入力の誤りがあります。最後の桁が合わないバーコードを確認してください。
rule-repeated = 同じものが2回あります。1つにしてください。
rule-too-many = { $count }件までにしてください。
rule-data = JSON の形式になっていません。
rule-nothing = 一つ以上選んでください。
