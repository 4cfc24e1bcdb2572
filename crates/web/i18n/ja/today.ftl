## 今日（最初のページ）

today-due = 期限
today-nothing-due = 3日以内に期限が来るものはありません。
today-nothing-in-stock = 家にあるものを追加すると、期限が近いものがここに表示されます。
today-low = 残りわずか
today-nothing-low = 少なくなったものはありません。商品のページで決めた残量を下回ると、ここに表示されます。
today-nothing-to-buy = 買い物リストは空です。
today-comma = 、
today-silent = 応答なし { $count }
today-no-sensors = センサーはまだありません。冷凍庫などに置くと、応答がないときにここでわかります。
today-all-well = すべて正常です。
today-activity = 家族の最近の操作
today-quiet = まだありません。家族が操作した内容がここに表示されます。
today-added = { $name }を追加：{ $amount }
today-opened = { $name }を開封：{ $amount }
today-changed = { $name }を変更
today-deleted = { $name }を削除
today-listed = { $name }を買い物リストに追加
today-unlisted = { $name }を買い物リストから削除
today-bought = { $name }を購入
today-list-changed = 買い物リストの{ $name }を変更
today-joined = { $name }さんが参加
today-left = { $name }さんが退出
