package config

import "strings"

// Telegram is the bot through which people talk to their assistant.
type Telegram struct {
	Token   string // "env:NAME" or "secret:NAME"; empty: there is no bot
	BaseURL string // empty: Telegram's
}

func telegramSections() []Key {
	return []Key{
		{"telegram.token", "REIN_TELEGRAM_TOKEN", "", "the token of your Telegram bot, from @BotFather: \"env:NAME\" for a variable, \"secret:NAME\" for a stored secret; never the token itself. Empty: no bot", text(func(c *Config) *string { return &c.Telegram.Token }, namesKey)},
		{"telegram.base_url", "REIN_TELEGRAM_BASE_URL", "", "a server of the Bot API that you run yourself, such as \"http://localhost:8081\"; empty: Telegram's. It may be private", text(func(c *Config) *string { return &c.Telegram.BaseURL }, isURL)},
	}
}

// TokenName is what Environment.Get finds the token by: a variable, or secret:NAME; empty: there is no bot.
func (t Telegram) TokenName() string { return strings.TrimPrefix(t.Token, envPrefix) }
