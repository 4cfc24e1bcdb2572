## The page that a tag opens on a phone.

tap-take = Take { $amount }
tap-put-back = Put back { $amount }
tap-left = { $amount } left
tap-used-up = Used up
tap-low = Running low
tap-until = Good until { $day }
tap-open-app = Open in Larder
tap-hint = Press − to take one.
tap-working = One moment …
tap-offline = You are offline, will retry.
tap-busy = The server is busy, will retry.
tap-took = Took { $amount }.
tap-took-last = Took { $amount }, which was the last.
tap-nothing-left = Nothing was left to take.
tap-was-put-back = Put back { $amount }.

tap-unknown-title = Unknown tag
tap-unknown-text = No tag has this address. Hold your phone to the tag again, or ask whoever put it up.
tap-rotated-title = This tag was replaced
tap-rotated-text = It does not work any more. Look for the new tag, or ask an admin of the household for it.
tap-item-deleted-title = This item is gone
tap-item-deleted-text = What this tag belongs to was deleted from the stock, so the tag does nothing any more. Take it off, or tell an admin of the household.
tap-overflow-title = That is too much
tap-overflow-text = An item cannot hold more than 99999999.99. Nothing was changed.
tap-rate-limited-title = Too many requests
tap-rate-limited-text = Please wait a moment, then try again. Nothing was changed.
tap-failed-title = That did not work
tap-invalid-text = The page sent something odd. Hold your phone to the tag again. Nothing was changed.
tap-failed-text = Something is wrong on our side. Please try again in a moment.
