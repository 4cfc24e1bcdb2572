## Products: what the household knows of a name.

products-title = Products
products-location = Usual place
products-step = Per tap
products-step-hint = How much a tap on a new tag takes.
products-barcodes = Barcodes
products-barcodes-hint = The digits under the bars, one barcode on each line.
products-photo = Photo
products-photo-of = Photo of { $name }
products-photo-there = added
products-photo-choose = Take or choose a picture
products-photo-save = Save photo
products-photo-remove = Remove photo
notice-products-photo-set = Photo saved.
notice-products-photo-removed = Photo removed.
products-auto-list = Shopping list
products-auto-list-choice = May go on the shopping list by itself
products-auto-list-on = by itself
products-auto-list-off = only by hand
products-unit-hint = The unit of the total, of the warning and of the quantity to have.

## The list.

products-all = All
products-with-gaps = With gaps
products-search = Search the products
products-sort-total = Least first
products-lots-count = { $count ->
    [one] { $count } lot
   *[other] { $count } lots
}
products-none = none in stock
products-gaps = Not known yet: { $what }
products-gap-shelf-life = shelf life
products-gap-location = place
products-gap-threshold = when to warn
products-gap-shop = shop
products-none-text = No matches.
products-no-gaps = Everything useful is known of every product.
products-empty-text = A product appears here with the first thing of its name that you add to the stock. It stays when all is used up, so that Larder knows it the next time.

## One product.

products-total = In stock
products-use = Use
products-use-amount = Amount to use ({ $unit })
products-use-hint = Taken from what expires first.
notice-products-used = Used.
notice-products-used-less = There was less than that: all of it is used now.
notice-products-used-none = There was nothing to use.
products-lots = Lots
products-lots-none = There is none in stock. What is known of it stays for the next time.
products-used-up = Used up ({ $count })
products-lot-until = lot until { $day }
products-lot-undated = lot without a date
products-knowledge = What is known
products-edit-hint = This applies to all lots, now and later.
products-consumption = Used per week
products-use-summary = Used in the last { $weeks } weeks: { $amount }
products-use-partial = There was too much to count all of it.
products-use-nothing = Nothing was used in the last weeks.
products-week-of = Week of
products-used = Used
products-history-known = Known from then on
products-history-photo = Another photo
products-history-partial = Only the { $count } lots that changed last are shown.
products-delete-text = What is known of it is gone for everybody in the household. This cannot be undone.
products-delete-lots-first = It can be deleted when its used-up lots are deleted.
products-conflict-text = While you were editing, somebody else changed this product. Nothing of yours is lost: choose which version to keep.
products-same-text = There is already { $name } ({ $amount }). Join the two, with all lots of both?
products-same-text-empty = There is already { $name }, with none in stock. Join the two, with all lots of both?
products-join = Join
notice-products-joined = The two are one now.
