package api

import "time"

// PairingCode is the answer to POST /v1/channels/pair: what a person sends to the bot to make a chat theirs. It works once.
type PairingCode struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires"`
	Bot     string    `json:"bot"`  // the name of the bot at Telegram, without @
	Link    string    `json:"link"` // opens the chat with the bot and sends the code
}
