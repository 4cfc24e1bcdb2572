## The shopping list, also offline.

shopping-title = Shopping list
shopping-progress = { $done } of { $all } bought
shopping-what = What do you need?
shopping-what-short = Add item
shopping-quantity-short = Qty
shopping-more-fields = Shop and notes
shopping-store = Shop
shopping-any-store = Any shop
shopping-unassigned = Any shop
shopping-offered = Suggestions
shopping-why-low = low
shopping-why-used-up = used up
shopping-why-recent = recent
shopping-add-tile = Add to the list
shopping-all-stores = All
shopping-stores = Shops
shopping-none-here = Nothing to buy here.
shopping-less = Less
shopping-more = More
shopping-empty-title = Nothing to buy
shopping-empty-text = Write down what you need: everybody in the household sees it at once, and in the shop it works without a signal, too.
shopping-waiting = waiting
shopping-waiting-count = { $count ->
    [one] { $count } change is waiting.
   *[other] { $count } changes are waiting.
}
shopping-waiting-signal = No signal right now; they are sent as soon as there is one.
shopping-waiting-login = Please log in, then they are sent.
shopping-bought = Bought
shopping-bought-one = bought
shopping-to-buy = to buy
shopping-state = State
shopping-bought-hint = Put away what comes into stock. Whatever stays here leaves the list after seven days.
shopping-put-away = Put away
shopping-put-away-all = Put everything away
shopping-put-away-all-text = Check how much it is, where it goes and how long it keeps. What has no amount stays on the list.
shopping-scan-row = Find by barcode
shopping-until-days = +{ $days } days
shopping-until-week = +1 week
shopping-until-month = +1 month
shopping-until-none = No date
shopping-until-other = Other
shopping-remember = Remember places and how long things keep
shopping-put-away-all-empty = Nothing is waiting to be put away.
shopping-put-away-count = { $count ->
    [0] Nothing was put away.
    [one] { $count } thing was put away.
   *[other] { $count } things were put away.
}
shopping-left = Still on the list
shopping-left-without-amount = How much was it?
shopping-left-changed = Somebody else has changed it in the meantime. Please check it.
shopping-put-away-title = Put away
shopping-put-away-text = This adds it to stock and takes it off the list. If the same thing with the same date is there already, it becomes more of it.
shopping-category = Category
shopping-location = Place
shopping-no-location = Nowhere in particular
shopping-expiration = Good until
shopping-unit-usual = pcs
shopping-clear = Clear without putting away
shopping-clear-confirm = Take everything that was bought off the list, without adding it to stock?
shopping-edit-title = Edit entry
shopping-delete-confirm = Take this off the list?
shopping-conflict-title = Changed by somebody else
shopping-conflict-changed = While you were at it, somebody else has changed this entry. Nothing is lost: choose which one it should be.
shopping-mine = Yours
shopping-theirs = On the list now
shopping-keep-mine = Keep mine
shopping-keep-theirs = Keep what is there
shopping-duplicate-title = It is on the list already
shopping-duplicate-leave = Do not add it
shopping-duplicate-add = Add it anyway
shopping-gone-title = No longer on the list
shopping-gone-text = Somebody has taken it off the list, or put it away, before your change arrived.
shopping-gone-leave = Leave it off
shopping-gone-add = Put it on the list again
shopping-refused-title = This could not be saved
shopping-refused-text = The list does not accept it as it is, for example because the shop is gone.
shopping-refused-again = Try again
shopping-refused-drop = Drop my change
notice-shopping-deleted = It is off the list.
notice-shopping-put-away = It is in stock now.
notice-shopping-put-away-all = All of it is in stock now.
notice-shopping-gone = It was put away already.
notice-shopping-cleared = What was bought is off the list.
offline-title = No signal
offline-text = This page cannot be reached right now. The shopping list is kept on this device: check off and add as you go, and it is sent later.
offline-retry = Try again
offline-list = To the shopping list
