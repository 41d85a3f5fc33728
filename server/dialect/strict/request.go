package strict

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/server/wire"
)

// What a client sends. Fields that are not known are left alone: older and newer clients have others.
type (
	chat struct {
		Content      string          `json:"content"`
		AgentMode    bool            `json:"agent_mode"`
		MaxSteps     json.RawMessage `json:"agent_max_steps"`
		Tools        []string        `json:"selected_tools"`
		OnlyRAG      bool            `json:"only_rag"`
		Files        json.RawMessage `json:"files"`
		Model        string          `json:"model"`
		Preset       string          `json:"preset"`
		Conversation string          `json:"conversation_id"`

		steps *int // of MaxSteps; nil: not chosen
		files []attached
	}
	control struct {
		Action string `json:"action"`
	}
	input struct {
		Content string `json:"content"`
	}
	decision struct {
		CallID    string          `json:"tool_call_id"`
		Approved  *bool           `json:"approved"`
		Arguments json.RawMessage `json:"arguments"`
		Reason    string          `json:"reason"`
	}
)

// kinds are the types of frames, with what each is read into.
var kinds = map[string]func() frame{
	"chat":                   func() frame { return &chat{} },
	"agent_control":          func() frame { return &control{} },
	"stop_streaming":         func() frame { return &control{Action: stopAction} },
	"agent_user_input":       func() frame { return &input{} },
	"tool_approval_response": func() frame { return &decision{} },
	"elicitation_response":   func() frame { return &elicited{} },
	"reset_session":          func() frame { return &reset{} },
	"restore_conversation":   func() frame { return &restore{} },
	"download_file":          func() frame { return &fileRequest{} },
	"attach_file":            func() frame { return &fileRequest{attach: true} },
}

// A frame says what is wrong with it.
type frame interface{ check() error }

const stopAction = "stop"

func (c *control) check() error {
	if c.Action != stopAction {
		return rein.Errorf(rein.CodeInvalid, "action is %.40q; it must be \"stop\"", c.Action)
	}
	return nil
}

func (i *input) check() error { return filled("content", i.Content) }

// decode reads a frame: one of kinds.
func decode(data []byte) (frame, error) {
	var head struct {
		Type string          `json:"type"`
		By   json.RawMessage `json:"by"`
	}
	if err := unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.By != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "the server sets the field \"by\" from your credential: leave it out")
	}
	blank, ok := kinds[head.Type]
	if !ok {
		return nil, rein.Errorf(rein.CodeInvalid, "type is %.60q; it must be one of: %s", head.Type, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	f := blank()
	if err := unmarshal(data, f); err != nil {
		return nil, err
	}
	return f, f.check()
}

// unmarshal reads JSON. Unlike wire.Decode it accepts fields that it does not know.
func unmarshal(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	if err == nil {
		return wire.CheckKeys(data)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field == "" {
		return rein.Errorf(rein.CodeInvalid, "the message is a JSON %s; it must be an object with a type", e.Value)
	}
	return wire.BadJSON(data, err)
}

func filled(field, text string) error {
	if strings.TrimSpace(text) == "" {
		return rein.Errorf(rein.CodeInvalid, "field %q is empty: write what you want to say", field)
	}
	return nil
}

func (c *chat) check() (err error) {
	if err = filled("content", c.Content); err != nil {
		return err
	}
	if c.steps, err = wholeNumber("agent_max_steps", c.MaxSteps); err != nil {
		return err
	}
	if err := checkConversation(c.Conversation); err != nil {
		return err
	}
	c.files, err = readFiles(c.Files)
	return err
}

func (d *decision) check() error {
	switch {
	case d.CallID == "":
		return rein.Errorf(rein.CodeInvalid, "field \"tool_call_id\" is empty: repeat that of the tool_approval_request")
	case d.Approved == nil:
		return rein.Errorf(rein.CodeInvalid, "field \"approved\" is missing: it must be true or false")
	}
	if string(d.Arguments) == "null" {
		d.Arguments = nil
	}
	return nil
}

// wholeNumber reads a number that need not be there. However large it is, it stays one that settings
// can hold: the flow clamps it to its limits and says so.
func wholeNumber(field string, raw json.RawMessage) (*int, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	const most = 1e9
	f, err := strconv.ParseFloat(string(raw), 64)
	if (err != nil && !errors.Is(err, strconv.ErrRange)) || math.IsNaN(f) || !math.IsInf(f, 0) && f != math.Trunc(f) {
		return nil, rein.Errorf(rein.CodeInvalid, "field %q is %.40s; it must be a whole number", field, raw)
	}
	n := int(min(max(f, -most), most))
	return &n, nil
}

// checkConversation says what is wrong with the name of a conversation; an empty one is none.
func checkConversation(id string) error {
	const most = 128
	if len(id) > most || strings.ContainsFunc(id, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '\uFFFD' }) {
		return rein.Errorf(rein.CodeInvalid, "conversation_id is %.60q; it must have at most %d bytes and no spaces", id, most)
	}
	return nil
}
