## すべてを検索、キーボードの操作

search-everything = すべて検索
search-title = 検索
search-what = 何を探していますか？
search-hint = 在庫、なくなったもの、場所、持ち物を、ことばの先頭から探せます。
search-none = 見つかりませんでした。
search-more = ほかにもあります。もう1文字入力してください。
search-location = 場所
shortcuts-title = キーボードの操作
shortcuts-search = 検索する
shortcuts-add = 追加する
shortcuts-this = このページを表示する
