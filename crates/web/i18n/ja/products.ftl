## 商品：同じ名前のものについて家族が知っていること

products-title = 商品
products-location = いつもの保管場所
products-step = 1回に使う量
products-step-hint = 新しいタグに使われます。
products-barcodes = バーコード
products-barcodes-hint = バーコードの下の数字を、1行に1件ずつ入力します。
products-photo = 写真
products-photo-of = { $name }の写真
products-photo-there = あり
products-photo-choose = 写真を撮るか選ぶ
products-photo-save = 写真を保存
products-photo-remove = 写真を削除
notice-products-photo-set = 写真を保存しました。
notice-products-photo-removed = 写真を削除しました。
products-auto-list = 買い物リスト
products-auto-list-choice = 自動で買い物リストに入れてもよい
products-auto-list-on = 自動で入れる
products-auto-list-off = 手動のみ
products-unit-hint = 合計・お知らせする残量・目標数量の単位です。

## 一覧

products-all = すべて
products-with-gaps = 未登録あり
products-search = 商品を検索
products-sort-total = 少ない順
products-lots-count = { $count }件
products-none = 在庫なし
products-gaps = 未登録：{ $what }
products-gap-shelf-life = 日持ち
products-gap-location = 保管場所
products-gap-threshold = お知らせする残量
products-gap-shop = 買うお店
products-none-text = 条件に合う商品はありません。
products-no-gaps = どの商品も、必要なことはすべて登録されています。
products-empty-text = 在庫に追加すると、その名前の商品がここに表示されます。使い切ったあとも残るので、次に買うときに役立ちます。

## 商品ごと

products-total = 在庫
products-use = 使う
products-use-amount = 使う量（{ $unit }）
products-use-hint = 期限が近いものから減らします。
notice-products-used = 使った分を減らしました。
notice-products-used-less = 在庫が足りなかったため、全部使ったことにしました。
notice-products-used-none = 使える在庫がありませんでした。
products-lots = 在庫の内訳
products-lots-none = 在庫はありません。登録した内容は次回のために残ります。
products-used-up = なくなったもの（{ $count }件）
products-lot-until = { $day }までの分
products-lot-undated = 期限なしの分
products-knowledge = 登録内容
products-edit-hint = この商品のすべての在庫に使われます。
products-consumption = 週ごとの使用量
products-use-summary = 過去{ $weeks }週間の使用量：{ $amount }
products-use-partial = 履歴が多いため、一部だけを数えています。
products-use-nothing = ここ最近は使われていません。
products-week-of = 週の初日
products-used = 使用量
products-history-known = 商品として登録
products-history-photo = 写真を変更
products-history-partial = 最近変更された{ $count }件の在庫だけを表示しています。
products-delete-text = 登録した内容は、家族の全員から見えなくなります。元に戻せません。
products-delete-lots-first = なくなった在庫を削除すると、商品を削除できます。
products-conflict-text = 編集している間に、別の人がこの商品を変更しました。入力した内容は残っています。どちらを残すか選んでください。
products-same-text = { $name }という商品がすでにあります（{ $amount }）。すべての在庫と合わせて一つにしますか？
products-same-text-empty = { $name }という商品がすでにあります（在庫なし）。合わせて一つにしますか？
products-join = 一つにまとめる
notice-products-joined = 一つにまとめました。
