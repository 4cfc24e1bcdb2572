## 家にあるもの

stock-expiration = 賞味・消費期限
stock-opened = 開封日
stock-category = カテゴリー
stock-location = 保管場所
stock-threshold = お知らせする残量
stock-threshold-hint = これより少なくなるとお知らせし、「残りわずか」と表示します。
stock-desired = 買い物後の目標数量
stock-desired-hint = 買い物のあと、家にどのくらいあるとよいか。
stock-shelf-life = 日持ち
stock-shelf-life-hint = 日数。買ったときの期限になります。
stock-opened-life = 開封後の日持ち
stock-opened-life-hint = 開封してからの日数。
stock-store = 買うお店
stock-store-hint = よく行くお店を登録する
stock-price = 購入価格
stock-price-hint = 全部でいくらだったかを、{ $currency } で入力します。
stock-picture = 写真のリンク
stock-usual-unit = 個
stock-none = なし
stock-any = すべて
stock-field = 項目
stock-of-product = { $name }のすべての在庫に共通
stock-product = 商品
stock-product-hint = 商品の登録内容を見る

## 一覧

stock-views = 表示するもの
stock-view-at-hand = 在庫 { $count }
stock-view-soon = もうすぐ期限 { $count }
stock-view-expired = 期限切れ { $count }
stock-view-low = 残りわずか { $count }
stock-view-depleted = なくなったもの { $count }
stock-search = 在庫を検索
stock-apply = 表示
stock-due = 期限
stock-lots = 期限 { $count }種類
stock-to-list = { $name }を買い物リストに入れる
stock-edit-history = 編集・履歴
stock-refine = 絞り込みと並べ替え
stock-sort = 並び順
stock-sort-created = 新しい順
stock-sort-name = 名前順
stock-sort-expiration = 期限が近い順
stock-copy = オフラインです。{ $moment } 時点の在庫を表示しています。
stock-copy-more = この端末に保存されていない在庫がほかにもあります。
stock-beginning = 先頭に戻る
stock-take = { $name }を{ $amount }減らす
stock-put = { $name }を{ $amount }増やす
stock-badge-expired = { $count }日前に期限切れ
stock-badge-over = 期限切れ
stock-badge-today = 今日まで
stock-badge-soon = あと{ $count }日
stock-badge-until = { $day }まで
stock-badge-low = 残りわずか
stock-badge-depleted = 在庫なし
stock-empty-title = まだ何もありません
stock-empty-text = 家にあるものの一覧です。上の欄に名前を入れるだけで追加できます。期限が近いものや少なくなったものをお知らせします。
stock-none-title = 見つかりませんでした
stock-none-text = 検索や絞り込みの条件を変えるか、すべて表示してください。
stock-clear = すべて表示
stock-all-used-up = すべてなくなりました。買ったものを上の欄で追加してください。

## 追加

stock-add-title = 在庫に追加
stock-add-example = 牛乳、牛乳2本
stock-understood = { $name }・{ $amount }
stock-until-usual = いつもの期限
stock-add-more = 単位・カテゴリー・場所・期限
stock-as-before = 前回と同じ
stock-as-before-or = 前回と同じ（なければ{ $otherwise }）
stock-remember = カテゴリー・場所・日持ちを覚えておく
notice-stock-added = 在庫に追加しました。
notice-stock-merged = すでにある分に加えました。

## まとめて変更

stock-select = 選択
stock-several-title = 選んだものを変更
stock-several-text = 一覧で選んでから、操作を選んでください。
stock-several-all = すべて選択
stock-several-set = カテゴリー・場所・お店・お知らせする残量
stock-several-save = 選んだものを変更
stock-several-delete = 選んだものを削除
stock-several-delete-action = 削除する
stock-leave = 変更しない
stock-several-done = { $count }件を処理しました。
stock-several-conflicts = { $count }件はその間に変更されたため、そのままにしました。
stock-several-gone = { $count }件はもうありませんでした。
stock-several-already = { $count }件はすでにリストにありました。
stock-several-none = 何も選ばれていません。

## 品物

stock-open = 開封する
stock-open-amount = 開封する量（{ $unit }）
stock-open-hint = 開封して日持ちが短くなる分は、別の在庫に分かれます。
notice-stock-opened = 今日開封しました。
stock-buy = 買い物リストに入れる
stock-buy-short = リスト
notice-stock-on-list = 買い物リストに入れました。
notice-stock-on-list-already = すでに買い物リストにあります。
notice-stock-saved = 保存しました。
notice-stock-deleted = 削除しました。
notice-stock-undone = 元に戻しました。
stock-delete-text = 削除すると、家族の全員から、タグも含めて見えなくなります。元に戻せません。
stock-delete-action = { $name }を削除する
stock-history = 履歴
stock-history-added = 追加：{ $amount }
stock-history-opened = 開封：{ $amount }
stock-history-taken = { $taken }使用（{ $count }回）→ 残り{ $left }
stock-history-put = { $added }追加（{ $count }回）→ { $left }
stock-history-both = { $taken }使用、{ $added }追加（{ $count }回）→ 残り{ $left }
stock-history-deleted = 削除
stock-history-same = 変更なしで保存
stock-by-tag = タグから
stock-by-former = 以前のメンバー
stock-undo = 元に戻す
stock-undo-last = { $old } → { $new } を元に戻す
stock-older = 以前の履歴
stock-newest = 最新の履歴
inventory-whose = だれの在庫か
inventory-own = 自分だけ
stock-move-own = 自分だけのものにする
stock-move-household = 家族のものにする
notice-stock-moved-own = 自分だけの在庫に移しました。「自分だけ」にあります。
notice-stock-moved-household = 家族の在庫に移しました。
stock-conflict-title = 編集中に変更されました
stock-conflict-text = 編集している間に、別の人がこの品物を変更しました。入力した内容は残っています。どちらを残すか選んでください。
stock-conflict-mine = あなたの内容
stock-conflict-theirs = 今の内容
stock-conflict-keep-mine = 自分の内容を保存
stock-conflict-keep-theirs = 今の内容を残す
stock-same-title = 同じものがすでにあります
stock-same-text = 同じ期限の{ $name }がすでに在庫にあります（{ $amount }）。数量を合わせて一つにしますか？
stock-same-merge = 一つにまとめる
stock-same-leave = 別々のままにする
