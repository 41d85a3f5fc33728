package mail

import (
	"bytes"
	"fmt"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"time"
	"unicode"

	"rein/follow/deliver"
	"rein/household/post"
	"rein/internal/speech"
)

var words = speech.Words{
	"en": {
		string(post.Reminder): "Reminder", string(post.Result): "Result", string(post.Alarm): "Agenda", string(post.Notice): "Notice", string(post.Asking): "Question",
		"choices":  "You can choose from:",
		"answer":   "This mail cannot be answered. To answer the question, open rein",
		"terminal": "or type at a terminal: rein asks",
		"until":    "The question waits until %s.",
		"look":     "More:",
		"footer":   "You get this mail because this address is one of your channels in rein. To stop it: rein channels remove %s",
		"code":     "Your code for rein",
		"verify":   "Somebody wants to get messages from rein at this address. If it was you, this is the code:\n\n    %s\n\nType it in rein within %d minutes: rein channels verify %s %[1]s\n\nIf it was not you, ignore this mail. Nothing is sent here without the code.",
	},
	"nl": {
		string(post.Reminder): "Herinnering", string(post.Result): "Resultaat", string(post.Alarm): "Agenda", string(post.Notice): "Bericht", string(post.Asking): "Vraag",
		"choices":  "Je kunt kiezen uit:",
		"answer":   "Deze mail kun je niet beantwoorden. Open rein om de vraag te beantwoorden",
		"terminal": "of typ in een terminal: rein asks",
		"until":    "De vraag wacht tot %s.",
		"look":     "Meer:",
		"footer":   "Je krijgt deze mail omdat dit adres een van je kanalen in rein is. Zo stop je dat: rein channels remove %s",
		"code":     "Je code voor rein",
		"verify":   "Iemand wil op dit adres berichten van rein krijgen. Ben jij dat, dan is dit de code:\n\n    %s\n\nTyp haar binnen %d minuten in rein: rein channels verify %s %[1]s\n\nBen jij het niet, dan kun je deze mail negeren. Zonder de code wordt hier niets naartoe gestuurd.",
	},
}

// A letter is a mail before it is written out.
type letter struct {
	id       string // of the message, the same on every try
	from, to netmail.Address
	subject  string
	text     string
	language string
	at       time.Time
}

// letterOf is the mail of a message.
func letterOf(from netmail.Address, to deliver.To, m deliver.Message, now time.Time) letter {
	say := func(key string, args ...any) string { return words.Say(to.Language, key, args...) }
	var b strings.Builder
	b.WriteString(strings.TrimSpace(m.Text) + "\n")
	if q := m.Ask; q != nil {
		if len(q.Choices) > 0 {
			b.WriteString("\n" + say("choices") + "\n")
			for _, c := range q.Choices {
				b.WriteString("- " + c + "\n")
			}
		}
		b.WriteString("\n" + say("answer"))
		if m.Link != "" {
			b.WriteString(": " + m.Link)
		}
		b.WriteString("\n" + say("terminal") + "\n")
		if !q.Deadline.IsZero() {
			b.WriteString(say("until", speech.When(to.Language, q.Deadline.In(to.Zone), now)) + "\n")
		}
	} else if m.Link != "" {
		b.WriteString("\n" + say("look") + " " + m.Link + "\n")
	}
	b.WriteString("\n-- \n" + say("footer", to.Channel) + "\n")
	return letter{
		id: m.ID, from: from, to: netmail.Address{Address: to.Address}, language: speech.Base(to.Language), at: m.At,
		subject: say(string(m.Kind)) + ": " + title(m.Text), text: b.String(),
	}
}

// maxTitle is how many letters of a text a subject has.
const maxTitle = 80

// title is how a text begins, on one line.
func title(text string) string {
	line := []rune(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " "))
	if len(line) > maxTitle {
		return string(line[:maxTitle-1]) + "…"
	}
	return string(line)
}

// bytes writes the mail as it is sent: headers that hold nothing but what is meant, and plain text.
func (l letter) bytes() ([]byte, error) {
	var b bytes.Buffer
	_, host, _ := strings.Cut(l.from.Address, "@")
	for _, header := range [][2]string{
		{"From", l.from.String()},
		{"To", l.to.String()},
		{"Subject", mime.QEncoding.Encode("utf-8", title(l.subject))},
		{"Date", l.at.UTC().Format(time.RFC1123Z)},
		{"Message-ID", "<" + l.id + "@" + host + ">"},
		{"Auto-Submitted", "auto-generated"},
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Language", l.language},
		{"Content-Transfer-Encoding", "quoted-printable"},
	} {
		if strings.ContainsFunc(header[1], unicode.IsControl) {
			return nil, deliver.Never(fmt.Errorf("the header %s of the mail would hold a control character", header[0]))
		}
		if header[1] != "" {
			b.WriteString(header[0] + ": " + header[1] + "\r\n")
		}
	}
	b.WriteString("\r\n")
	q := quotedprintable.NewWriter(&b)
	if _, err := q.Write([]byte(strings.ToValidUTF8(l.text, "\uFFFD"))); err != nil {
		return nil, err
	}
	return b.Bytes(), q.Close()
}
