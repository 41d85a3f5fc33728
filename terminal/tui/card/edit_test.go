package card_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/terminal/tui/card"
)

func editable(args string) rein.Ask {
	ask := approval("send_mail", args, "a letter")
	ask.ID, ask.Shown = "r1:7.ask", rein.ShownMark+"x"
	return ask
}

// The arguments are changed in the box; what is sent is what was written.
func TestEditsInline(t *testing.T) {
	d := big(editable(`{"to":"ann","n":9007199254740993}`))
	d.types("e")
	d.sees(t, `  "to": "ann",`, "Ctrl-S shows what it does now")
	d.types(`down end left left backspace backspace backspace b o b ctrl+s`)
	d.sees(t, "sending")
	d = big(editable(`{"to":"ann","n":9007199254740993}`))
	d.types("e down end left left backspace backspace backspace b o b")
	isAnswer(t, d.press("ctrl+s"), rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{"to":"bob","n":9007199254740993}`)})
}

// Wrong JSON is not sent, what was written is not lost, and the cursor is where it is wrong.
func TestEditsWrongly(t *testing.T) {
	d := big(editable(`{"to":"ann"}`))
	d.types("e down end , enter x")
	if act := d.press("ctrl+s"); act.Answer != nil {
		t.Fatal("wrong JSON was sent")
	}
	d.sees(t, "line 3, column 1: 'x' does")
	d.types("esc")
	d.sees(t, "allow once")
	d.types("e")
	d.sees(t, "x")
	d.types("delete backspace backspace home end")
	if act := d.press("ctrl+s"); act.Answer != nil {
		t.Error("what was not changed was sent as changed")
	}
	d.sees(t, "nothing is changed")
}

// What came back from an editor is shown before it is sent, and so is what is wrong with it.
func TestEditedElsewhere(t *testing.T) {
	d := big(editable(`{"to":"ann\u202e"}`))
	if act := d.press("E"); !act.Edit {
		t.Fatalf("%+v", act)
	}
	if got, want := d.Arguments(), "{\n  \"to\": \"ann\\u202e\"\n}"; got != want {
		t.Errorf("the editor gets %q, want %q", got, want)
	}
	for text, want := range map[string]string{
		"{\n  \"to\": bob\n}":          "line 2, column 9: 'b' does not belong here",
		"{\n  \"to\": \"bob\"":         "line 2, column 14: it ends too early",
		"":                             "line 1, column 1: it ends too early",
		"[1]":                          "must be a JSON object",
		"null":                         "must be a JSON object",
		"{\"to\": \"\x1b[2J\"}":        "line 1, column 9: '",
		"{\"é\": \"\u202e\", 公: \"\"}": "line 1, column 12: '公' does not belong here",
	} {
		if err := d.Edited([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		d.sees(t, want)
		if strings.Contains(d.rows(), "\u202e") {
			t.Error("what cannot be seen is on the screen")
		}
	}
	if err := d.Edited([]byte("{\"to\":\"bob\u202e\"}\n")); err != nil {
		t.Fatal(err)
	}
	d.sees(t, `"to": "bob\u202e"`)
	if !d.Typing() {
		t.Error("what came back is not in the editor")
	}
	d.now = d.now.Add(time.Second)
	isAnswer(t, d.press("ctrl+s"), rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{"to":"bob\u202e"}`)})
}

// A label that stands for a secret must not become its value.
func TestEditsNoSecrets(t *testing.T) {
	d := big(arguments())
	for _, name := range []string{"e", "E"} {
		if act := d.press(name); act.Edit || !act.Taken || d.Typing() {
			t.Errorf("%s: %+v", name, act)
		}
		d.sees(t, "what is masked cannot be edited")
	}
	d = big(editable(`{"to":"ann"}`))
	if err := d.Edited([]byte(`{"to":"[redacted: key]"}`)); err != nil {
		t.Fatal(err)
	}
	if act := d.press("ctrl+s"); act.Answer != nil {
		t.Error("a label was sent")
	}
	d.sees(t, "label that stands for a secret")
}

// Texts that are typed are in rows of the box, with the cursor in sight.
func TestLongTexts(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {40, 8}, {200, 60}} {
		d := newDesk(asks()["free"], card.Options{}, size[0], size[1])
		d.Paste(strings.Repeat("公園 is a park 👨‍👩‍👧 ", 50) + "END")
		d.sees(t, "END")
		d.press("home")
		if rows := d.rows(); strings.Contains(rows, "END") || !strings.Contains(rows, "› 公園") {
			t.Errorf("the cursor is not in sight:\n%s", rows)
		}
		d = newDesk(editable(`{"a":1}`), card.Options{}, size[0], size[1])
		if err := d.Edited([]byte(`{"a":[` + strings.Repeat("1,", 500) + `"END"]}`)); err != nil {
			t.Fatal(err)
		}
		for range 52 {
			d.Key(key("pgdown"), d.now)
		}
		d.sees(t, "END")
	}
}
