## はじめての利用: アカウント、家族、招待

home-title = 家に何があるか、すぐわかる
home-stock = Larder は冷蔵庫・冷凍庫・戸棚の中身を覚えておきます。期限が近いもの、残りが少ないものがひと目でわかります。
home-shopping = 家族みんなで共有できます。買い物リストは電波のないお店の中でも使えます。
home-yours = 自分のサーバーで動くので、ほかの人に見られることはありません。

field-email = メールアドレス
field-password = パスワード
login-title = ログイン
notice-login-ended = ログアウトされていました。続けるにはログインしてください。最後の操作は保存されていないことがあります。
login-action = ログイン
login-no-account = はじめての方は
login-register = アカウントを作る

sign-on-continue = { $name }で続ける
sign-on-unreachable = { $name }に接続できません。パスワードでログインするか、数分後にもう一度お試しください。
sign-on-address = { $email }のアカウントはすでにあります。いつもの方法でログインすると、マイページで連携できます。
notice-sign-on-unavailable = ログインサービスに接続できません。数分後にもう一度お試しください。
notice-sign-on-denied = ログインがキャンセルされました。もう一度お試しになるか、パスワードでログインしてください。
notice-sign-on-outdated = 時間がかかりすぎたか、もう一度開始されました。もう一度お試しください。
notice-sign-on-refused = ログインサービスの応答を確認できませんでした。続く場合は、サーバーの管理者に連絡してください。
notice-sign-on-no-address = ログインサービスに確認済みのメールアドレスがないため、アカウントを作れません。そちらで確認してから、もう一度お試しください。
notice-sign-on-address-taken = そのメールアドレスのアカウントはすでにあります。いつもの方法でログインすると、マイページで連携できます。
notice-sign-on-taken = そのログインは、ここの別のアカウントで使われています。
notice-sign-on-has-another = アカウントはすでに別のログインと連携しています。先にその連携を解除してください。

forgot-title = パスワードをお忘れですか？
forgot-what = メールアドレスにリンクを送ります。リンクから新しいパスワードを設定できます。
forgot-action = リンクを送る
forgot-asked = { $email } のアカウントがあれば、メールをお送りしました。30分以内にリンクを開いてください。
forgot-no-mail = このサーバーはメールを送れません。サーバーを運用している人に、新しいパスワードを頼んでください。
reset-title = 新しいパスワード
reset-hint = 8文字以上。すべての端末からログアウトします。新しいパスワードでログインしてください。
reset-action = 保存
reset-refused = このリンクはもう使えません。リンクの有効期間は30分で、一度しか使えません。
notice-password-reset = パスワードを変更しました。新しいパスワードでログインしてください。

register-title = アカウントを作る
register-name = あなたの名前
register-password-hint = 8文字以上。いくつかの言葉を並べると、覚えやすく推測されにくくなります。
register-action = アカウントを作る
register-have-account = アカウントをお持ちの方は
register-by-invitation = アカウントを作るには招待が必要です。家族の管理者に、招待のリンクかコードを聞いてください（「家族」のページにあります）。
register-closed = このサーバーでは、新しいアカウントを作れません。サーバーを運用している人に聞いてください。
register-code-action = 次へ
register-invited = 家族に招待されています。アカウントを作ると、そのまま参加します。

start-title = ようこそ
start-welcome = ようこそ、{ $name }さん
start-why = 家族で在庫と買い物リストを共有できます。家族を登録するか、すでにある家族に参加するか、ひとりで始めてください。
start-found = 家族を登録する
start-found-action = 家族を登録する
start-join = 家族に参加する
start-join-hint = 英数字12文字です。大文字でも小文字でもかまいません。リンクをそのまま貼り付けても使えます。
start-alone = ひとりで始める
start-alone-text = 家族に参加しなくても、自分だけの在庫を使えます。一日の区切りは上のタイムゾーンです。あとから家族を登録・参加して、在庫を移すこともできます。
start-alone-action = ひとりで続ける
start-move-items = 自分で登録した品物も持っていく

join-title = 招待されています
join-stranger = 家族の在庫と買い物リストを一緒に使いませんか。アカウントを作るか、ログインすると参加できます。
join-stranger-closed = 家族の在庫と買い物リストを一緒に使いませんか。今は新しいアカウントを作れませんが、アカウントをお持ちならログインして参加できます。
join-ready = 家族の在庫と買い物リストを一緒に使いませんか。
join-action = 家族に参加する
join-settled = すでに家族に入っています。一人が入れる家族は一つです。こちらに参加するには、先に今の家族から抜けてから、もう一度この招待を開いてください。
join-settled-stay = 今の家族にとどまる
join-settled-household = 今の家族を見る
notice-joined = ようこそ！家族に参加しました。
notice-joined-kept = ようこそ！一部のものはあなただけの在庫に残っています。家族の在庫では単位が違うか、数が多すぎるためです。「自分だけ」を選び、単位を変えるか、一つずつ移してください。
notice-left = 家族から抜けました。

ready-title = あなたの家族
ready-welcome = 「{ $name }」を作成しました
ready-go = 在庫を見る
