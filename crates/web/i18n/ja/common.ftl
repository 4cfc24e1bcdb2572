## すべてのページに共通

skip-to-content = 本文へ移動
nav-sections = アプリの各部
nav-household-and-me = 世帯と自分
nav-stock = 在庫
nav-shopping = 買い物
nav-tags = タグ
nav-sensors = センサー
nav-things = 持ち物
nav-household = 世帯
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
field-name = 名前
field-notes = メモ
field-quantity = 数量
field-unit = 単位
ago-now = たった今
ago-minutes = { $count }分前
ago-hours = { $count }時間前
ago-days = { $count }日前

## うまくいかないとき

failure-title = うまくいきませんでした
failure-home = 最初のページへ
failure-not-found = ここには何もありません。削除されたか、あなたが見られるものではありません。
failure-forged = このフォームは古いか、別のサイトから送られたため、何も変更していません。ページを読み込み直してもう一度お試しください。
failure-malformed = フォームを読み取れないため、何も変更していません。ページを読み込み直してもう一度お試しください。
failure-too-large = 一度に送れる量を超えています。何も変更していません。
failure-invalid = 「{ $field }」を確認してください。入力がないか、短すぎるか長すぎるか、形式が違います。何も変更していません。
failure-too-often = 回数が多すぎます。1分ほど待ってください。
failure-credentials = メールアドレスかパスワードが違います。
failure-email-taken = このメールアドレスのアカウントはすでにあります。ログインしてください。
failure-admin-required = この操作は世帯の管理者だけができます。管理者に頼んでください。
failure-already-in-household = すでに世帯に入っています。先に今の世帯から抜けてください。一人が入れる世帯は一つです。
failure-invite-not-found = この招待コードの世帯はありません。古いコードは使えなくなるので、今のコードを聞いてください。
failure-last-admin = 世帯には管理者が一人以上必要です。先に別の人を管理者にしてください。
failure-name-taken = 同じ名前がすでにあります。別の名前にしてください。
failure-unit-mismatch = 同じものが換算できない単位で登録されています。その単位か、別の名前を使ってください。
failure-duplicate-item = 同じ名前と期限の品物があります。
failure-duplicate-shopping = すでにリストにあります。
failure-quantity-overflow = 一つの品物に入る量（99,999,999.99）を超えています。
failure-changed-meanwhile = その間に別の人が変更しました。ページを読み込み直して今の内容を確認してください。
failure-cycle = 自分自身や、自分の中にあるものの中へは入れられません。
failure-unique-taken = この値は別のものが使っています。同じ値は一つだけです。
failure-reserved-type = この種類は Larder が使います。別の種類にしてください。
failure-schema-too-new = 新しいバージョンの Larder が書いたものです。変更するには更新してください。
failure-tag-gone = このタグは交換されたか、品物が削除されました。
failure-choice-gone = 選んだものはもうありません。ページを読み込み直して選び直してください。
failure-internal = こちらで問題が起きました。記録しましたので、もう一度お試しください。
failure-unavailable = 今は保存先に接続できません。少し待ってからもう一度お試しください。
