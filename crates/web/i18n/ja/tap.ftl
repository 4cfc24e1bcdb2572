## タグをかざすと開くページ

tap-take = { $amount } 使う
tap-put-back = { $amount }戻す
tap-left = 残り{ $amount }
tap-used-up = なくなりました
tap-low = 残りわずかです
tap-until = 期限 { $day }
tap-open-app = Larderで開く
tap-hint = 「−」を押すと使った分が減ります。
tap-working = お待ちください…
tap-offline = オフラインです。自動的に再試行します。
tap-busy = 混み合っています。自動的に再試行します。
tap-took = { $amount } 使いました。
tap-took-last = 最後の{ $amount }を使いました。
tap-nothing-left = 在庫がないため、減らせませんでした。
tap-was-put-back = { $amount }戻しました。

tap-unknown-title = 不明なタグです
tap-unknown-text = このアドレスのタグは見つかりません。もう一度タグにかざすか、設置した人に確認してください。
tap-rotated-title = このタグは交換されました
tap-rotated-text = このタグはもう使えません。新しいタグを使うか、家族の管理者に確認してください。
tap-item-deleted-title = この品物は削除されました
tap-item-deleted-text = このタグの品物は在庫から削除されたため、タグは使えません。タグを外すか、家族の管理者に知らせてください。
tap-overflow-title = 上限を超えます
tap-overflow-text = 数量は99999999.99までです。何も変更されていません。
tap-rate-limited-title = 操作が多すぎます
tap-rate-limited-text = しばらく待ってから、もう一度お試しください。何も変更されていません。
tap-failed-title = 処理できませんでした
tap-invalid-text = 送信された内容が正しくありません。もう一度タグにかざしてください。何も変更されていません。
tap-failed-text = サーバーで問題が発生しています。しばらくしてからもう一度お試しください。
