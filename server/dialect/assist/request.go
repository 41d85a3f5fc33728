package assist

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"rein"
	"rein/api"
)

// A Request is the body of POST /chat and POST /chat/stream. Who sends it is not in it.
type Request struct {
	Message string `json:"message"`
	// History is what was said before. It is imported only if the server has nothing of the session.
	History []Said `json:"conversation_history,omitempty"`
}

// Said is one thing that was said before.
type Said struct {
	Role    string `json:"role"` // user or assistant
	Content string `json:"content"`
}

// maxHistory is how much of a history can be imported.
const maxHistory = 200

// readRequest reads and checks a message.
func readRequest(w http.ResponseWriter, r *http.Request) (Request, error) {
	var body Request
	if err := readBody(w, r, &body); err != nil {
		return body, err
	}
	if strings.TrimSpace(body.Message) == "" {
		return body, rein.Errorf(rein.CodeInvalid, "the message is empty: say something")
	}
	if len(body.History) > maxHistory {
		return body, rein.Errorf(rein.CodeInvalid, "conversation_history has %d messages: send the newest %d", len(body.History), maxHistory)
	}
	for i, said := range body.History {
		if said.Role != string(rein.User) && said.Role != string(rein.Assistant) {
			return body, rein.Errorf(rein.CodeInvalid, "conversation_history[%d]: role %.20q is neither user nor assistant", i, said.Role)
		}
	}
	return body, nil
}

// messages returns the history as a task begins with it.
func (r Request) messages() []rein.Message {
	var all []rein.Message
	for _, said := range r.History {
		if strings.TrimSpace(said.Content) != "" {
			all = append(all, rein.Message{Role: rein.Role(said.Role), Text: said.Content})
		}
	}
	return all
}

// readBody reads the JSON of a request. That it must say that it is JSON keeps web forms out.
func readBody(w http.ResponseWriter, r *http.Request, value any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return rein.Errorf(rein.CodeInvalid, "the body is %.60q: send JSON, with Content-Type: application/json", r.Header.Get("Content-Type"))
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, api.MaxBody))
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", err)
	}
	return decode(data, value)
}

// decode reads one JSON object. Everything in it must be known: a household_id in a body, say, must not
// look as if it counted.
func decode(data []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return rein.Errorf(rein.CodeInvalid, "this is not the JSON object that is wanted here: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return rein.Errorf(rein.CodeInvalid, "there is more after the JSON object: send one")
	}
	return nil
}
