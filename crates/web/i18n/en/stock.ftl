## The stock.

stock-expiration = Good until
stock-opened = Opened on
stock-category = Category
stock-location = Place
stock-threshold = Warn below
stock-threshold-hint = Below this you are told, and it shows as low.
stock-desired = Quantity to have
stock-desired-hint = How much you want at home after shopping.
stock-shelf-life = Keeps for
stock-shelf-life-hint = Days: the date of what you buy.
stock-opened-life = Keeps once open for
stock-opened-life-hint = Days after it was opened.
stock-store = Shop
stock-store-hint = Add the shops you go to
stock-price = Price paid
stock-price-hint = For all of it, in { $currency }.
stock-picture = Link to a picture
stock-usual-unit = pcs
stock-none = None
stock-any = Any
stock-field = Field
stock-of-product = Applies to all lots of { $name }
stock-product = Product
stock-product-hint = More about the product

## The list.

stock-views = What to look at
stock-view-at-hand = { $count } at home
stock-view-soon = { $count } expiring soon
stock-view-expired = { $count } expired
stock-view-low = { $count } low
stock-view-depleted = { $count } used up
stock-search = Search the stock
stock-apply = Show
stock-due = Due
stock-lots = { $count } dates
stock-to-list = Put { $name } on the shopping list
stock-edit-history = Edit, history
stock-refine = Filter and sort
stock-sort = Order
stock-sort-created = Newest first
stock-sort-name = By name
stock-sort-expiration = First to expire
stock-copy = There is no signal. This is the stock as it was on { $moment }.
stock-copy-more = There is more in stock than is kept on this device.
stock-beginning = Back to the beginning
stock-take = Take { $amount }: { $name }
stock-put = Add { $amount }: { $name }
stock-badge-expired = { $count ->
    [one] expired yesterday
   *[other] expired { $count } days ago
}
stock-badge-over = expired
stock-badge-today = today
stock-badge-soon = { $count ->
    [one] tomorrow
   *[other] in { $count } days
}
stock-badge-until = until { $day }
stock-badge-low = low
stock-badge-depleted = used up
stock-empty-title = Nothing here yet
stock-empty-text = This is the list of what you have at home. Add the first thing above: its name is enough. Larder then tells you what expires soon and what runs low.
stock-none-title = No matches
stock-none-text = Try fewer letters, or show everything.
stock-clear = Show everything
stock-all-used-up = All of it is used up. Add what you have bought above.

## Adding an item.

stock-add-title = Add to the stock
stock-add-example = Milk, or 2 L milk
stock-understood = { $name } · { $amount }
stock-until-usual = Usual date
stock-add-more = Unit, category, place, date
stock-as-before = As before
stock-as-before-or = As before, or { $otherwise }
stock-remember = Remember category, place and how long it keeps
notice-stock-added = Added to the stock.
notice-stock-merged = Added to what is there already.

## Bulk changes.

stock-select = Select
stock-several-title = Change selected
stock-several-text = Select them in the list, then choose what to do.
stock-several-all = Select all
stock-several-set = Category, place, shop, warning
stock-several-save = Change selected
stock-several-delete = Delete selected
stock-several-delete-action = Delete them
stock-leave = Leave as it is
stock-several-done = { $count } done.
stock-several-conflicts = { $count ->
    [one] 1 had changed meanwhile and was left as it is.
   *[other] { $count } had changed meanwhile and were left as they are.
}
stock-several-gone = { $count ->
    [one] 1 was not there any more.
   *[other] { $count } were not there any more.
}
stock-several-already = { $count ->
    [one] 1 was on the list already.
   *[other] { $count } were on the list already.
}
stock-several-none = Nothing was selected.

## One item.

stock-open = Open
stock-open-amount = Open ({ $unit })
stock-open-hint = An open part that keeps for a shorter time becomes a lot of its own.
notice-stock-opened = Opened today.
stock-buy = Put on the shopping list
stock-buy-short = List
notice-stock-on-list = It is on the shopping list now.
notice-stock-on-list-already = It is on the shopping list already.
notice-stock-saved = Saved.
notice-stock-deleted = Deleted.
notice-stock-undone = Undone.
stock-delete-text = What is deleted is gone for everybody in the household, with its tags. This cannot be undone.
stock-delete-action = Delete { $name }
stock-history = History
stock-history-added = Added: { $amount }
stock-history-opened = Opened: { $amount }
stock-history-taken = Took { $taken } ({ $count } times) → { $left } left
stock-history-put = Added { $added } ({ $count } times) → { $left }
stock-history-both = Took { $taken }, added { $added } ({ $count } times) → { $left } left
stock-history-deleted = Deleted
stock-history-same = Saved without a change
stock-by-tag = By a tag
stock-by-former = A former member
stock-undo = Undo
stock-undo-last = Undo { $old } → { $new }
stock-older = Older
stock-newest = Newest
inventory-whose = Whose stock
inventory-own = My own
stock-move-own = Make it my own
stock-move-household = Give it to the household
notice-stock-moved-own = It is yours alone now, under “My own”.
notice-stock-moved-household = It belongs to the household now.
stock-conflict-title = Changed while you were editing
stock-conflict-text = While you were editing, somebody else changed this item. Nothing of yours is lost: choose which version to keep.
stock-conflict-mine = Yours
stock-conflict-theirs = As it is now
stock-conflict-keep-mine = Save mine
stock-conflict-keep-theirs = Keep what is there now
stock-same-title = There is one like this already
stock-same-text = { $name } with the same date is in the stock already ({ $amount }). Shall the two become one, with both amounts?
stock-same-merge = Merge
stock-same-leave = Leave both as they are
