package notify_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"rein/follow/notify"
)

// A receiver checks the signature before it believes a word, and tells by the ID what it has had
// before: a delivery may come more than once.
func ExampleVerify() {
	seen := map[string]bool{}
	http.HandleFunc("/hook", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		if err == nil {
			err = notify.Verify(os.Getenv("HOOK_SECRET"), r.Header.Get(notify.SignatureHeader), body, time.Now())
		}
		var m notify.Message
		if err == nil {
			err = json.Unmarshal(body, &m)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if !seen[m.ID] {
			seen[m.ID] = true
			fmt.Printf("%s: %s\n", m.Kind, m.Link)
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
