package telegram

// What of the Bot API's types is read.

type update struct {
	ID       int64     `json:"update_id"`
	Message  *message  `json:"message"`
	Callback *callback `json:"callback_query"`
}

type message struct {
	ID       int64     `json:"message_id"`
	From     *sender   `json:"from"`
	Chat     chat      `json:"chat"`
	Text     string    `json:"text"`
	Caption  string    `json:"caption"`
	Photo    []photo   `json:"photo"`
	Document *document `json:"document"`
	Album    string    `json:"media_group_id"`
	ReplyTo  *message  `json:"reply_to_message"`
}

type sender struct {
	ID       int64  `json:"id"`
	Bot      bool   `json:"is_bot"`
	Language string `json:"language_code"`
}

type chat struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"` // private, group, supergroup or channel
	Title string `json:"title"`
}

// A photo is one size of a picture.
type photo struct {
	File   string `json:"file_id"`
	Size   int64  `json:"file_size"`
	Width  int64  `json:"width"`
	Height int64  `json:"height"`
}

type document struct {
	File string `json:"file_id"`
	Name string `json:"file_name"`
	Type string `json:"mime_type"`
	Size int64  `json:"file_size"`
}

type callback struct {
	ID      string   `json:"id"`
	From    sender   `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

// me is the bot itself.
type me struct {
	ID   int64  `json:"id"`
	Name string `json:"username"`
}

// A keyboard is the buttons below a message, in rows.
type keyboard struct {
	Rows [][]button `json:"inline_keyboard"`
}

type button struct {
	Text string `json:"text"`
	Data string `json:"callback_data"`
}
