package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/api"
)

// dialFeed connects to the feed of a run over a WebSocket.
func (r *rig) dialFeed(base, path string) *websocket.Conn {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	c, answer, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(base, "http")+path, nil)
	if err != nil {
		r.Fatalf("dial %s: %v %v", path, err, answer)
	}
	c.SetReadLimit(1 << 20)
	r.Cleanup(func() { c.CloseNow() })
	return c
}

func (r *rig) readFrame(c *websocket.Conn) (f api.Frame) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	_, data, err := c.Read(ctx)
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		r.Fatalf("read a frame: %v", err)
	}
	return f
}

// TestSocket follows a run over a WebSocket, from the cursor that a stream has given, to its end.
//
// Covers: ENG-35
func TestSocket(t *testing.T) {
	r := newRig(t)
	web := httptest.NewServer(r.handler)
	t.Cleanup(web.Close)
	r.start("r", task("chat", "wait"))
	f := follow(t, r.Client, "r", followAll)
	cursor := f.untilKind("r", rein.StepStarted).Cursor
	r.tell("Once ")
	f.wantText(0, "Once ")
	c := r.dialFeed(web.URL, "/v1/runs/r/events?after="+cursor)
	if got := r.readFrame(c); got.Type != api.StreamDelta || got.Line.Delta.Text != "Once " {
		t.Errorf("the first frame is %+v", got)
	}
	r.tell("upon", "")
	var kinds []rein.Kind
	for {
		frame := r.readFrame(c)
		if frame.Type == api.StreamEnd {
			break
		}
		if frame.Line != nil && frame.Line.Event != nil {
			kinds = append(kinds, frame.Line.Event.Kind)
		}
	}
	if diff := cmp.Diff([]rein.Kind{rein.StepDone, rein.RunCompleted}, kinds); diff != "" {
		t.Errorf("events:\n%s", diff)
	}
	f.wantEnd()
	for path, status := range map[string]int{"/v1/runs/none/events": 404, "/v1/runs/r/events?after=x": 400} {
		_, answer, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(web.URL, "http")+path, nil)
		if err == nil || answer.StatusCode != status {
			t.Errorf("%s: %v, %v", path, answer, err)
		}
	}
}

// TestResync gives a cursor of a log that is no more, as after a backup was restored: the client is
// told to begin again, and gets everything.
func TestResync(t *testing.T) {
	r := newRig(t)
	web := httptest.NewServer(r.handler)
	t.Cleanup(web.Close)
	r.start("r", task("chat", "hi"))
	follow(t, r.Client, "r", followAll).wantEnd()
	f := follow(t, r.Client, "r", followFrom("999"))
	line, over := f.next()
	if over || line.Resync == "" || !strings.Contains(line.Resync, "999") {
		t.Fatalf("the first line is %+v", line)
	}
	if lines := f.wantEnd(); len(lines) == 0 || lines[0].Event == nil || lines[0].Event.Seq != 1 {
		t.Errorf("then come %v", lines)
	}
	c := r.dialFeed(web.URL, "/v1/runs/r/events?after=999")
	if got := r.readFrame(c); got.Type != api.StreamResync {
		t.Errorf("the first frame is %+v", got)
	}
	if got := r.readFrame(c); got.Type != api.StreamEvent || got.Line.Event.Seq != 1 {
		t.Errorf("the second frame is %+v", got)
	}
	if w := r.request("GET", "/v1/runs/r/events?after=999", "", nil); w.Code != http.StatusBadRequest {
		t.Errorf("a page: %d %s", w.Code, w.Body)
	}
}
