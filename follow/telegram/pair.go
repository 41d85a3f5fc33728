package telegram

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/household/channels"
)

// CodeLife is how long a code pairs.
const CodeLife = 10 * time.Minute

const (
	codeLength = 8
	// codeLetters leaves out what is mixed up when it is read aloud.
	codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	maxCodes    = 5 // of a user at a time; the oldest goes
)

// A Code is what a person sends to the bot to make a chat theirs.
type Code struct {
	Code    string
	Expires time.Time
	Bot     string // its name at Telegram
	Link    string // opens the chat and sends the code
}

// NewCode makes a code for whoever asks. It works once. They must be allowed all that a chat is allowed.
func (b *Bot) NewCode(ctx context.Context, who rein.Identity) (Code, error) {
	for _, needs := range []rein.Scope{rein.ScopeRead, rein.ScopeAct, rein.ScopeAnswer} {
		if !who.May(needs) {
			return Code{}, rein.Errorf(rein.CodeForbidden, "to pair a chat you need the scope %q: a chat reads, acts and answers", needs)
		}
	}
	self, err := b.self(ctx)
	if err != nil {
		return Code{}, rein.Errorf(rein.CodeUnavailable, "the bot cannot be reached: %w", err)
	}
	raw := make([]byte, codeLength)
	rand.Read(raw)
	for i := range raw {
		raw[i] = codeLetters[int(raw[i])%len(codeLetters)] // 32 letters: each is as likely
	}
	code, until := string(raw), b.now().Add(CodeLife).Truncate(time.Second)
	err = b.write(ctx,
		run(`DELETE FROM pairing_codes WHERE expires < ?`, b.now().UnixMicro()),
		run(`DELETE FROM pairing_codes WHERE household = ? AND user_name = ? AND sha256 NOT IN
			(SELECT sha256 FROM pairing_codes WHERE household = ? AND user_name = ? ORDER BY expires DESC, sha256 LIMIT ?)`,
			who.Household, who.User, who.Household, who.User, maxCodes-1),
		run(`INSERT INTO pairing_codes (sha256, household, user_name, kind, expires) VALUES (?, ?, ?, ?, ?)`,
			codeHash(code), who.Household, who.User, string(channels.Telegram), until.UnixMicro()))
	if err != nil {
		return Code{}, err
	}
	return Code{Code: code[:4] + "-" + code[4:], Expires: until, Bot: self.Name, Link: "https://t.me/" + self.Name + "?start=" + code}, nil
}

func codeHash(code string) []byte {
	sum := sha256.Sum256([]byte("telegram pairing code\x00" + code))
	return sum[:]
}

// codeIn returns the code that a message is, as people type it: alone or after /start or /pair, in any case, with or without
// its dash; empty: it is none.
func codeIn(text string) string {
	command, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if name, _, _ := strings.Cut(command, "@"); name == "/start" || name == "/pair" {
		text = rest
	}
	code := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(strings.TrimSpace(text)))
	if len(code) != codeLength || strings.Trim(code, codeLetters) != "" {
		return ""
	}
	return code
}

// data is what a channel of the book keeps of a chat.
type data struct {
	From  int64 `json:"from"` // the Telegram user who paired it, and who alone is listened to
	Group bool  `json:"group,omitempty"`
}

// pair makes a chat the address of the user whose code was sent there. paired is false if the code is none. An update that
// did so before does so again.
func (b *Bot) pair(ctx context.Context, in intent, m *message, code string) (user string, paired bool, err error) {
	before, err := read(ctx, b, intents, "bot = ? AND update_id = ?", in.bot, in.update)
	if err != nil || len(before) > 0 {
		return append(before, intent{})[0].user, len(before) > 0, err
	}
	kept, err := json.Marshal(data{From: m.From.ID, Group: m.Chat.Type != "private"})
	if err != nil {
		return "", false, err
	}
	err = b.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		owners, err := list(ctx, tx, func(rows *sql.Rows) (in intent, err error) { return in, rows.Scan(&in.household, &in.user) },
			`SELECT household, user_name FROM pairing_codes WHERE sha256 = ? AND kind = ? AND expires >= ?`, codeHash(code), string(channels.Telegram), b.now().UnixMicro())
		if err != nil || len(owners) == 0 {
			return err
		}
		in.household, in.user, in.chat, in.message = owners[0].household, owners[0].user, m.Chat.ID, m.ID
		user, paired = in.user, true
		if _, err := tx.ExecContext(ctx, `DELETE FROM pairing_codes WHERE sha256 = ?`, codeHash(code)); err != nil {
			return err
		}
		_, err = b.opts.Answers.Book.PutIn(ctx, tx, channels.Channel{
			Household: in.household, User: in.user, Kind: channels.Telegram, Address: strconv.FormatInt(m.Chat.ID, 10),
			Label: label(m), Data: kept, Verified: b.now(),
		})
		if err != nil {
			return err
		}
		s := in.insert(b.now())
		_, err = tx.ExecContext(ctx, s.query, s.args...)
		return err
	})
	return user, paired && err == nil, err
}

// label is what a chat is called until its user calls it something else.
func label(m *message) string {
	if m.Chat.Type == "private" {
		return "Telegram"
	}
	title := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(m.Chat.Title, ""))
	return strings.TrimSpace("Telegram " + clip(title, 40))
}
