## 棚や容器に付けるタグと、印刷用ラベル

tags-title-of = { $item }のタグ
tags-new = タグを作る
tags-to-item = 品物を見る
tags-print-labels = ラベルを印刷
tags-to-newest = 最新のタグへ
tags-per-tap = 1回に{ $step }
tags-opened = { $count ->
    [0] 使用なし
   *[other] { $count }回使用
}
tags-replaced = 交換済み
tags-dead = 品物は削除済み
tags-empty-title = タグはまだありません
tags-empty-what = 棚や容器に付けたタグが、代わりに数えます。スマートフォンをかざすかQRコードを読み取ると、1つ使ったことになります。アプリもログインもいりません。
tags-empty-how = 品物を選んでタグを作り、アドレスをNFCシールに書き込むか、ラベルとして印刷します。
tags-empty-first = 最初のタグを作る
tags-members-title = タグは管理者が管理します
tags-members-why = 家のタグはだれでも使えます。アドレスを知っている人は在庫を変えられるので、アドレスは管理者だけに表示されます。
tags-members-whom = 管理者を確認する
notice-tag-made = タグを作りました。シールに書き込むか、印刷してください。
notice-tag-saved = タグを保存しました。
notice-tag-deleted = タグを削除しました。
notice-tag-replaced = 古いアドレスは使えなくなりました。これが新しいアドレスです。シールに書き込むか、ラベルを印刷し直してください。

## タグを作る

tags-which-item = どの品物のタグですか
tags-press-item = 品物を選んでください
tags-no-items = タグは品物に付けるものですが、品物がまだありません。
tags-add-items = 家にあるものを追加する
tags-none-found = この文字で始まる語を含む品物はありません。
tags-show-all = すべての品物を表示
tags-search-more = ほかにもあります。検索してください。
tags-new-for = { $item }のタグを作る
tags-field-label = ラベル（省略可）
tags-label-hint = 「冷蔵庫のドア」のような場所や用途です。印刷するラベルにも入ります。
tags-field-step = 1回に使う量
tags-step-in = 1回に使う量（{ $unit }）
tags-step-hint = 0.01から1000まで。開いたページから戻すこともできます。
tags-make = タグを作る
tags-other-item = 別の品物を選ぶ

## 1つのタグ

tags-warning = タグのアドレスを知っている人は、ログインせずに品物を減らしたり戻したりできます。使ってよい人だけに渡してください。タグを交換すると、古いアドレスは二度と使えなくなります。
tags-about = このタグについて
tags-fact-tap = 1回に使う量
tags-fact-left = 今の残り
tags-fact-used = 使用
tags-fact-made = 作成
tags-others = この品物のタグ
tags-address = アドレス
tags-qr = タグのアドレスのQRコード
tags-print-label = ラベルを印刷
tags-nfc-title = NFCタグに書き込む
tags-nfc-now = ボタンを押してから、空のNFCシールをスマートフォンの背面に当ててください。
tags-nfc-write = NFCタグに書き込む
tags-nfc-waiting = シールをスマートフォンの背面に当てて、そのままお待ちください…
tags-nfc-written = 書き込みました。もう一度かざして試してください（1回分減ります）。
tags-nfc-cancelled = キャンセルしました。何も書き込んでいません。
tags-nfc-denied = このサイトではNFCの使用が許可されていません。サイトの設定で許可してから、もう一度お試しください。
tags-nfc-unsupported = このスマートフォンにNFCがないか、このシールにはアドレスを書き込めません。別のシール（NTAG213またはNTAG215）をお試しください。
tags-nfc-off = NFCがオフか、ほかのアプリが使用中です。スマートフォンの設定でオンにしてから、もう一度お試しください。
tags-nfc-lost = シールが早く離れたか、ロックされています。動かさずにもう一度お試しください。
tags-nfc-failed = うまくいきませんでした。シールを背面に当てたまま、もう一度お試しください。
tags-nfc-none = このブラウザではNFCタグに書き込めません。スマートフォンのアプリで書き込めます。
tags-nfc-step-copy = スマートフォンでこのページを開き、アドレスをコピーします。
tags-nfc-step-app = 「NFC Tools」（Android・iPhone）など、タグに書き込めるアプリを入れ、「書く」→「レコードを追加」→「URL」を選びます。
tags-nfc-step-write = アドレスを貼り付けて書き込みを押し、シールにかざします。
tags-nfc-step-try = もう一度かざして試してください（1回分減ります）。
tags-nfc-chrome = AndroidのChromeなら、Larderをhttpsで開けば、アプリなしでこのページから書き込めます。
tags-nfc-kinds = シールはNTAG213またはNTAG215なら使えます。金属に貼るときは金属対応のものを選んでください。交換後に書き直せるよう、ロックしないでください。
tags-replace-title = なくした、または知られてしまったとき
tags-replace-what = タグを交換すると、品物・ラベル・量はそのままで、アドレスだけが新しくなります。
tags-replace-open = このタグを交換する
tags-replace-sure = 上のアドレスは、どこにコピーや印刷がされていても、すぐに、そして二度と使えなくなります。シールの書き込みとラベルの印刷をやり直す必要があります。元には戻せません。
tags-replace-yes = 交換する（元に戻せません）
tags-dead-what = このタグの品物は削除されたため、かざしても何も起きません。タグを棚から外し、ここで削除してください。
tags-delete-text = 削除すると、このアドレスを開いても「不明なタグ」と表示されます。元に戻せません。NFCシールは別のタグに書き直せますが、印刷したラベルは使えなくなります。
tags-delete-yes = このタグを削除する
tags-replaced-when = このタグは{ $when }に交換されました。このアドレスはもう使えません。

## ラベル

tags-labels-none = 印刷できるタグがまだありません。
tags-labels-what = ラベルには、タグのQRコード、品物、ラベル名、1回に使う量が入ります。
tags-labels-choose = タグを1つ以上選んでください。
tags-labels-which = 印刷するタグ
tags-labels-all = すべて選ぶ
tags-labels-no-tags = 選択を外す
tags-labels-paper = 用紙
tags-field-format = ラベルの種類
tags-field-used = 使用済みの枚数
tags-used-hint = 1枚目のシートで、左上から数えます。シートのときだけ使います。
tags-format-sheets = シート（A4）
tags-format-singles = ラベルプリンター
tags-format-a4-24 = A4・24面（70 × 37 mm）
tags-format-a4-21 = A4・21面（63.5 × 38.1 mm）
tags-format-a4-14 = A4・14面（99.1 × 38.1 mm）
tags-format-roll-62 = 62 mmロール（29 mmでカット）
tags-format-long-29 = 29 × 90 mm
tags-format-small-50 = 50 × 30 mm
tags-labels-show = ラベルを表示
tags-left-out = { $count }個のタグを除きました。交換されたか、品物が削除されています。
tags-sheet-how = ブラウザで{ $format }に印刷してください。倍率は100 %（実寸）、余白・ヘッダー・フッターはなしにします。
tags-choose-again = 選び直す
tags-preview = プレビュー
