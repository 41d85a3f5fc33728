package card

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// edit opens the arguments, in the box or in the person's own editor.
func (c *Card) edit(elsewhere bool) Act {
	why := c.unseen()
	switch {
	case c.masked:
		return c.says("what is masked cannot be edited: x shows it first")
	case why != "":
		return c.says(why)
	case elsewhere:
		return Act{Edit: true, Taken: true}
	}
	c.args.lines = true
	if !c.started {
		c.args.set(c.Arguments(), 0)
	}
	c.doing, c.started = editing, true
	return Act{Taken: true}
}

// Arguments returns the arguments for an editor: as they are being edited, or those of the call.
func (c *Card) Arguments() string {
	if c.started {
		return c.args.text()
	}
	return terminal.Editable(c.ask.Call.Args)
}

// Edited takes the arguments that came back from an editor. They are shown before they are sent, wrong ones too. The
// error says what is wrong with them, and where.
func (c *Card) Edited(args []byte) error {
	if !c.editable {
		return fmt.Errorf("ask %s has no arguments that can be edited", c.ask.ID)
	}
	c.doing, c.started, c.args.lines = editing, true, true
	text := strings.TrimRight(string(args), " \t\r\n")
	at, err := check(text)
	if err != nil {
		text = look.Safe(text)
		c.args.set(text, min(at, len(text)))
		c.hint = err.Error()
		return err
	}
	c.args.set(terminal.Editable(json.RawMessage(text)), 0)
	c.hint = ""
	return nil
}

// editKey is for the arguments.
func (c *Card) editKey(key string, k tea.KeyPressMsg, now time.Time) Act {
	switch key {
	case "esc":
		c.doing = deciding
		return Act{Taken: true}
	case "ctrl+s":
		if !c.Armed(now) {
			return c.early(now)
		}
		return c.sendEdited()
	}
	return Act{Taken: c.args.key(key, k)}
}

// sendEdited answers with the arguments as they are now, if they are JSON. Whether they fit the tool is the server's to
// say: Refused shows it.
func (c *Card) sendEdited() Act {
	text := c.args.text()
	at, err := check(text)
	if err != nil {
		c.args.set(text, at)
		return c.says(err.Error())
	}
	args, was := compact(text), compact(string(c.ask.Call.Args))
	if bytes.Equal(args, was) {
		return c.says("nothing is changed: Esc goes back, and a allows it as it is")
	}
	return c.emit(rein.Answer{State: rein.AskEdited, Args: args})
}

func compact(text string) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return nil
	}
	return b.Bytes()
}

// check says what is wrong with arguments, and at which byte.
func check(text string) (at int, err error) {
	var object map[string]json.RawMessage
	err = json.Unmarshal([]byte(text), &object)
	if err == nil && object != nil {
		return 0, nil
	}
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return 0, errors.New("the arguments must be a JSON object: {...}")
	}
	at, why := len(text), "it ends too early"
	if !isCut(text) {
		at = max(0, min(int(syntax.Offset)-1, len(text))) // it counts the byte that is wrong
		r, _ := utf8.DecodeRuneInString(text[at:])
		why = look.SafeLine(fmt.Sprintf("%q does not belong here", r))
	}
	line := strings.Count(text[:at], "\n") + 1
	column := utf8.RuneCountInString(text[strings.LastIndexByte(text[:at], '\n')+1:at]) + 1
	return at, fmt.Errorf("this is not JSON, line %d, column %d: %s", line, column, why)
}

// isCut reports whether a text would be JSON if it went on.
func isCut(text string) bool {
	var value json.RawMessage
	err := json.NewDecoder(strings.NewReader(text)).Decode(&value)
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
