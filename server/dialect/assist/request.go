package assist

import (
	"net/http"
	"strings"

	"rein"
	"rein/server/wire"
)

// A Request is the body of POST /chat and POST /chat/stream. The credential says who sends it.
type Request struct {
	Message string `json:"message"`
	// Preset says how the run works that the message starts, if it starts one.
	Preset string `json:"preset,omitempty"`
	// History is the conversation so far. The server imports it only if it has nothing of the session.
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
	if err := wire.ReadJSON(w, r, &body); err != nil {
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
