package engine_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/household/shelf"
	"rein/internal/rig"
	"rein/model/anthropic"
	"rein/model/openai"
	"rein/store"
	"rein/tool/basics"
)

// drawn is a picture of which no two are alike.
func drawn(t *testing.T, shade uint8) []byte {
	t.Helper()
	i := image.NewRGBA(image.Rect(0, 0, 40, 30))
	noise := rand.New(rand.NewPCG(uint64(shade), 1))
	for n := range i.Pix {
		i.Pix[n] = uint8(noise.Uint32()) | 1
	}
	var b bytes.Buffer
	if err := png.Encode(&b, i); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A provider answers requests of one API: first with a call of snap, then with a question, then with words. It keeps
// what it was sent.
type provider struct {
	api string
	mu  sync.Mutex
	got []map[string]any
}

func (p *provider) requests() []map[string]any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.got)
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request map[string]any
	if err == nil {
		err = json.Unmarshal(body, &request)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	p.got = append(p.got, request)
	p.mu.Unlock()
	call, text := "", "I see it."
	switch results(request) {
	case 0:
		call, text = `snap`, ""
	case 1:
		call, text = `ask_user`, ""
	}
	args := map[string]string{"snap": `{}`, "ask_user": `{"question":"Shall I go on?"}`}[call]
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, replies[p.api](call, args, text))
}

// results counts the results of calls in a request of any API.
func results(request map[string]any) int {
	raw, _ := json.Marshal(request)
	return strings.Count(string(raw), `"type":"tool_result"`) + strings.Count(string(raw), `"role":"tool"`) + strings.Count(string(raw), `"type":"function_call_output"`)
}

var replies = map[string]func(call, args, text string) string{
	"anthropic": func(call, args, text string) string {
		block, stop := fmt.Sprintf(`{"type":"text","text":%q}`, text), "end_turn"
		if call != "" {
			block, stop = fmt.Sprintf(`{"type":"tool_use","id":"toolu_%s","name":%q,"input":%s}`, call, call, args), "tool_use"
		}
		return fmt.Sprintf(`{"id":"m","type":"message","role":"assistant","model":"claude-x","content":[%s],"stop_reason":%q,"usage":{"input_tokens":5,"output_tokens":5}}`, block, stop)
	},
	"chat": func(call, args, text string) string {
		message, stop := fmt.Sprintf(`{"role":"assistant","content":%q}`, text), "stop"
		if call != "" {
			message, stop = fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"call_%s","type":"function","function":{"name":%q,"arguments":%q}}]}`, call, call, args), "tool_calls"
		}
		return fmt.Sprintf(`{"id":"m","object":"chat.completion","model":"gpt-x","choices":[{"index":0,"message":%s,"finish_reason":%q}],"usage":{"prompt_tokens":5,"completion_tokens":5}}`, message, stop)
	},
	"responses": func(call, args, text string) string {
		item := fmt.Sprintf(`{"type":"message","id":"i","status":"completed","role":"assistant","content":[{"type":"output_text","text":%q,"annotations":[]}]}`, text)
		if call != "" {
			item = fmt.Sprintf(`{"type":"function_call","id":"f","status":"completed","call_id":"call_%s","name":%q,"arguments":%q}`, call, call, args)
		}
		return fmt.Sprintf(`{"id":"m","object":"response","status":"completed","model":"gpt-x","output":[%s],"usage":{"input_tokens":5,"output_tokens":5,"total_tokens":10}}`, item)
	},
}

// model is an adapter of the API, as it ships.
func (p *provider) model(t *testing.T, url string, sees bool) rein.Model {
	t.Helper()
	info := rein.ModelInfo{Sees: sees, MaxOutput: 1000}
	var m rein.Model
	var err error
	if p.api == "anthropic" {
		m, err = anthropic.New(anthropic.Options{Model: "claude-x", BaseURL: url, Key: "k", Info: info})
	} else {
		m, err = openai.New(openai.Options{Model: "gpt-x", API: p.api, BaseURL: url, Key: "k", Info: info, Quirks: openai.Quirks{Stream: openai.Never}})
	}
	rig.Check(t, err)
	return still{m}
}

// still shows nothing, so that no adapter streams.
type still struct{ rein.Model }

func (s still) Generate(ctx context.Context, r rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	return s.Model.Generate(ctx, r, nil)
}

func snap(data ...[]byte) rein.Tool {
	return rein.Tool{Name: "snap", Effect: rein.Pure, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
		done := rein.Done{Text: "Click."}
		for _, d := range data {
			done.Images = append(done.Images, rein.Image{Type: "image/tiff", Name: "../shot.png", Data: d}) // the type is wrong
		}
		return done, nil
	}}
}

func mediaWorker(t *testing.T, m rein.Model, tools ...rein.Tool) *work.Worker {
	t.Helper()
	ask, err := basics.AskUser()
	rig.Check(t, err)
	set := map[string]rein.Tool{ask.Name: ask}
	for _, tool := range tools {
		set[tool.Name] = tool
	}
	return rig.Worker(m, set)
}

// The images of a request as each API has them in the result of a call, with what stands around them.
func imagesIn(t *testing.T, api string, request map[string]any) []string {
	t.Helper()
	var found []string
	switch api {
	case "anthropic":
		for _, m := range list(request["messages"]) {
			for _, block := range list(m["content"]) {
				for _, inner := range list(block["content"]) {
					if source, ok := inner["source"].(map[string]any); ok && block["type"] == "tool_result" && inner["type"] == "image" {
						found = append(found, fmt.Sprint(source["type"], " ", source["media_type"], " ", source["data"]))
					}
				}
			}
		}
	case "responses":
		for _, item := range list(request["input"]) {
			for _, part := range list(item["output"]) {
				if item["type"] == "function_call_output" && part["type"] == "input_image" {
					found = append(found, asSource(t, part["image_url"]))
				}
			}
		}
	case "chat":
		messages := list(request["messages"])
		for i, m := range messages {
			for _, part := range list(m["content"]) {
				if part["type"] != "image_url" {
					continue
				}
				if m["role"] != "user" || messages[i-1]["role"] != "tool" {
					t.Errorf("an image stands in a message of %v behind one of %v", m["role"], messages[i-1]["role"])
				}
				found = append(found, asSource(t, part["image_url"].(map[string]any)["url"]))
			}
		}
	}
	return found
}

func list(v any) (objects []map[string]any) {
	all, _ := v.([]any)
	for _, one := range all {
		if object, ok := one.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

func asSource(t *testing.T, url any) string {
	t.Helper()
	kind, data, ok := strings.Cut(strings.TrimPrefix(fmt.Sprint(url), "data:"), ";base64,")
	if !ok {
		t.Fatalf("%.80v is no data: URL", url)
	}
	return "base64 " + kind + " " + data
}

// A tool returns images; the model gets them, in the shape of its API; the log holds each once; and after the program
// was started again, while the run waited for a person, the model gets them again.
func TestMediaLoop(t *testing.T) {
	for _, api := range []string{"anthropic", "chat", "responses"} {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			shot, other := drawn(t, 9), drawn(t, 77)
			p := &provider{api: api}
			web := httptest.NewServer(p)
			defer web.Close()
			r := rig.Open(t, rig.Options{})
			begin := func() {
				r.Begin(engine.Options{Flows: flow.All(), Worker: mediaWorker(t, p.model(t, web.URL, true), snap(shot, other, shot)), Grace: engine.NoGrace})
			}
			begin()
			ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
			defer cancel()
			task := rein.Task{Flow: "operate", Tools: []string{"snap", "ask_user"}, Messages: []rein.Message{{Role: rein.User, Text: "Look."}}}
			_, err := r.Engine.Start(ctx, "r1", task)
			rig.Check(t, err)
			ask := awaitAsk(ctx, t, r)

			r.Again()
			begin()
			_, err = r.Engine.Command(ctx, rein.Command{Kind: rein.CommandAnswer, Run: "r1", Ask: ask.ID, Key: "a", Answer: rein.Answer{State: rein.AskAnswered, Text: "yes", Shown: ask.Shown}})
			rig.Check(t, err)
			end, err := r.Engine.Wait(ctx, "r1")
			rig.Check(t, err)
			if end.End != rein.EndDone || end.Text != "I see it." {
				t.Errorf("the run ended as %+v", end)
			}
			var want []string
			for _, data := range [][]byte{shot, other, shot} {
				want = append(want, "base64 image/png "+base64.StdEncoding.EncodeToString(data))
			}
			got := p.requests()
			if len(got) != 3 {
				t.Fatalf("%d requests", len(got))
			}
			for i, request := range got[1:] {
				if found := imagesIn(t, api, request); !slices.Equal(found, want) {
					t.Errorf("request %d has %d images: %.200q", i+2, len(found), found)
				}
			}
			checkKept(t, r, shot, other)
		})
	}
}

func awaitAsk(ctx context.Context, t testing.TB, r *rig.Rig) rein.Ask {
	t.Helper()
	for {
		asks, err := r.Store.Asks(ctx, store.AskFilter{Pending: true})
		rig.Check(t, err)
		info, err := r.Store.Run(ctx, "r1")
		if len(asks) > 0 && err == nil && info.Status == rein.StatusWaiting {
			return asks[0]
		}
		if err == nil && info.Status.Ended() {
			t.Fatalf("the run ended as %+v", info.Outcome)
		}
		if ctx.Err() != nil {
			t.Fatal(ctx.Err())
		}
	}
}

// checkKept looks into the tables: each image is there once, as it is, and nowhere in an event.
func checkKept(t *testing.T, r *rig.Rig, images ...[]byte) {
	t.Helper()
	var all int
	rig.Check(t, r.Store.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		for _, data := range images {
			rows, err := q.QueryContext(ctx, `SELECT count(*) FROM texts WHERE data = ?`, data)
			if err != nil {
				return err
			}
			rows.Next()
			var n int
			if err := rows.Scan(&n); err != nil {
				return err
			}
			rows.Close()
			if n != 1 {
				t.Errorf("an image is kept %d times", n)
			}
		}
		rows, err := q.QueryContext(ctx, `SELECT data FROM texts`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var text []byte
			if err := rows.Scan(&text); err != nil {
				return err
			}
			for _, data := range images {
				if strings.Contains(string(text), base64.StdEncoding.EncodeToString(data)[:60]) {
					t.Error("an image is also kept as base64")
				}
			}
			all++
		}
		return rows.Err()
	}))
	verdict, err := r.Store.Verify(t.Context(), "r1")
	if err != nil || len(verdict.Wrong) > 0 {
		t.Errorf("audit: %v %q", err, verdict.Wrong)
	}
}

// To a model that cannot see, images are described, those of a person too; and it is never sent one.
func TestMediaForTheBlind(t *testing.T) {
	for _, api := range []string{"anthropic", "chat", "responses"} {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			shot, brought := drawn(t, 9), drawn(t, 5)
			p := &provider{api: api}
			web := httptest.NewServer(p)
			defer web.Close()
			r := rig.Open(t, rig.Options{})
			r.Begin(engine.Options{Flows: flow.All(), Worker: mediaWorker(t, p.model(t, web.URL, false), snap(shot)), Grace: engine.NoGrace})
			ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
			defer cancel()
			task := rein.Task{Flow: "operate", Tools: []string{"snap", "ask_user"}, Messages: []rein.Message{{Role: rein.User, Text: "Look.", Images: []rein.Image{{Name: "mine.png", Data: brought}}}}}
			_, err := r.Engine.Start(ctx, "r1", task)
			rig.Check(t, err)
			awaitAsk(ctx, t, r)
			raw, err := json.Marshal(p.requests()[1])
			rig.Check(t, err)
			for _, want := range []string{
				fmt.Sprintf("[image image/png 40×30, %d kB, file mine.png]", (len(brought)+500)/1000),
				fmt.Sprintf("[image image/png 40×30, %d kB, file shot.png]", (len(shot)+500)/1000),
			} {
				if !strings.Contains(string(raw), want) {
					t.Errorf("the request lacks %s: %.3000s", want, raw)
				}
			}
			if strings.Contains(string(raw), "base64") {
				t.Error("an image was sent")
			}
			checkKept(t, r, shot, brought)
		})
	}
}

// What a person brings with a task is kept once and sent, and what is none is refused before the run starts.
func TestImagesOfTasks(t *testing.T) {
	t.Parallel()
	brought := drawn(t, 5)
	p := &provider{api: "responses"}
	web := httptest.NewServer(p)
	defer web.Close()
	r := rig.Open(t, rig.Options{})
	r.Begin(engine.Options{Flows: flow.All(), Worker: mediaWorker(t, p.model(t, web.URL, true), snap()), Grace: engine.NoGrace})
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	task := func(images ...rein.Image) rein.Task {
		return rein.Task{Flow: "operate", Tools: []string{"snap", "ask_user"}, Messages: []rein.Message{{Role: rein.User, Text: "Look.", Images: images}}}
	}
	url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(brought)
	_, err := r.Engine.Start(ctx, "r1", task(rein.Image{Data: brought}, rein.Image{URL: url}, rein.Image{URL: "https://example.org/a.png"}))
	rig.Check(t, err)
	awaitAsk(ctx, t, r)
	var sent []string
	for _, item := range list(p.requests()[0]["input"]) {
		for _, part := range list(item["content"]) {
			if part["type"] == "input_image" {
				sent = append(sent, fmt.Sprint(part["image_url"]))
			}
		}
	}
	if !slices.Equal(sent, []string{url, url, "https://example.org/a.png"}) {
		t.Errorf("the model was sent %.300q", sent)
	}
	checkKept(t, r, brought)
	again, err := r.Engine.Start(ctx, "r1", task(rein.Image{Data: brought}, rein.Image{URL: url}, rein.Image{URL: "https://example.org/a.png"}))
	if err != nil || again.ID != "r1" {
		t.Errorf("the same start again: %v", err)
	}
	hash := store.NewText(brought).Hash
	for words, bad := range map[string]rein.Image{
		"it is not an image":       {Type: "image/png", Data: []byte("hello")},
		"is cut off":               {Data: brought[:len(brought)-20]},
		"neither data nor":         {URL: "file:///etc/passwd"},
		"must be base64":           {URL: "data:image/png,x"},
		"it has a hash alone":      {SHA256: hash}, // that another run has it does not matter
		"image 1 of message 1 of ": {},
	} {
		_, err := r.Engine.Start(ctx, "bad", task(bad))
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(fmt.Sprint(err), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
	if _, err := r.Store.Run(ctx, "bad"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("a refused run exists: %v", err)
	}
}

// A child may show its model what its parent names, and keeps it as its own.
func TestImagesOfChildren(t *testing.T) {
	t.Parallel()
	brought := drawn(t, 5)
	p := &provider{api: "chat"}
	web := httptest.NewServer(p)
	defer web.Close()
	r := rig.Open(t, rig.Options{})
	flows := flow.All()
	flows["parent"] = rein.Flow{Do: func(run rein.Run, task rein.Task) (rein.Outcome, error) {
		child, err := run.Spawn(rein.Task{Flow: "chat", Messages: task.Messages})
		if err != nil {
			return rein.Outcome{}, err
		}
		return run.Wait(child)
	}}
	r.Begin(engine.Options{Flows: flows, Worker: mediaWorker(t, p.model(t, web.URL, true))})
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	_, err := r.Engine.Start(ctx, "r1", rein.Task{Flow: "parent", Messages: []rein.Message{{Role: rein.User, Text: "Look.", Images: []rein.Image{{Data: brought}}}}})
	rig.Check(t, err)
	_, err = r.Engine.Wait(ctx, "r1")
	rig.Check(t, err)
	raw, err := json.Marshal(p.requests()[0])
	rig.Check(t, err)
	if !strings.Contains(string(raw), base64.StdEncoding.EncodeToString(brought)) {
		t.Errorf("the child's model was not shown it: %.500s", raw)
	}
	hash := store.NewText(brought).Hash
	data, err := r.Store.Kept(ctx, "r1.1", hash)
	if err != nil || !bytes.Equal(data, brought) {
		t.Errorf("the child keeps %d bytes: %v", len(data), err)
	}
	checkKept(t, r, brought)
}

// Files that a tool returns are files of the session once its result is recorded, and the result says so. What is no
// image, or too much, is left out and named; the rest of the result counts.
func TestFilesOfTools(t *testing.T) {
	t.Parallel()
	leave := rein.Tool{Name: "snap", Effect: rein.Unsafe, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
		return rein.Done{
			Text:   "Made.",
			Images: []rein.Image{{Data: []byte("<svg/>")}, {Data: drawn(t, 3)}},
			Files:  []rein.Artifact{{Name: "../../report.txt", Type: "text/plain", Data: []byte("all is well")}, {Name: "plot.png", Type: "image/png", Data: drawn(t, 3)}},
		}, nil
	}}
	p := &provider{api: "chat"}
	web := httptest.NewServer(p)
	defer web.Close()
	r := rig.Open(t, rig.Options{})
	r.Begin(engine.Options{Flows: flow.All(), Worker: mediaWorker(t, p.model(t, web.URL, true), leave), Grace: engine.NoGrace})
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	task := rein.Task{Flow: "operate", Household: "home", User: "ann", Session: "s1", Tools: []string{"snap", "ask_user"}, Messages: []rein.Message{{Role: rein.User, Text: "Make."}}}
	_, err := r.Engine.Start(ctx, "r1", task)
	rig.Check(t, err)
	awaitAsk(ctx, t, r)
	files, err := shelf.Shelf{Tables: r.Store}.List(ctx, rein.Place{Household: "home", User: "ann", Session: "s1"})
	rig.Check(t, err)
	if len(files) != 2 || files[0].Name != "plot.png" || files[1].Name != "report.txt" || files[1].Run != "r1" || files[1].Size != 11 {
		t.Errorf("the session has %+v", files)
	}
	raw, err := json.Marshal(p.requests()[1])
	rig.Check(t, err)
	for _, want := range []string{
		"image 1 of the result was left out: it is not an image",
		"files that this call left in the session: report.txt (text/plain, 11 bytes), plot.png (image/png",
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the model does not read %q: %.2000s", want, raw)
		}
	}
	checkKept(t, r, drawn(t, 3))
}

// What an image may cost is reserved before it is sent, and only for a model that is sent it. When the budget is spent
// the closing call still fits, with images in words.
//
// Covers: LAW-8
func TestImagesAreReserved(t *testing.T) {
	const perImage = 8192
	for _, sees := range []bool{true, false} {
		t.Run(fmt.Sprint(sees), func(t *testing.T) {
			t.Parallel()
			p := &provider{api: "chat"}
			web := httptest.NewServer(p)
			defer web.Close()
			r := rig.Open(t, rig.Options{})
			r.Begin(engine.Options{Flows: flow.All(), Worker: mediaWorker(t, p.model(t, web.URL, sees), snap(drawn(t, 1), drawn(t, 2), drawn(t, 3))), Grace: engine.NoGrace})
			ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
			defer cancel()
			budget := rein.DefaultBudget()
			budget.Tokens = 40_000 // three images with their conversation fit once, and not once more
			task := rein.Task{Flow: "operate", Budget: &budget, Tools: []string{"snap", "ask_user"}, Messages: []rein.Message{{Role: rein.User, Text: "Look."}}}
			_, err := r.Engine.Start(ctx, "r1", task)
			rig.Check(t, err)
			awaitAsk(ctx, t, r)
			var bounds []int64
			for e, err := range r.Store.Events(ctx, "r1", 0) {
				rig.Check(t, err)
				if start, err := rein.Payload[rein.StepStart](e); e.Kind == rein.StepStarted && err == nil && start.Prompt != nil {
					bounds = append(bounds, start.Bound.Tokens)
				}
			}
			if grown := bounds[1] - bounds[0]; len(bounds) != 2 || (grown > 3*perImage) != sees {
				t.Errorf("reserved were %v tokens", bounds)
			}
		})
	}
}

// A budget that is too small for an image ends in an answer, not in a failure.
func TestClosingCallDescribesImages(t *testing.T) {
	t.Parallel()
	p := &provider{api: "chat"}
	web := httptest.NewServer(p)
	defer web.Close()
	r := rig.Open(t, rig.Options{})
	r.Begin(engine.Options{Flows: flow.All(), Worker: mediaWorker(t, p.model(t, web.URL, true), snap(drawn(t, 1), drawn(t, 2), drawn(t, 3)))})
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	budget := rein.DefaultBudget()
	budget.Tokens = 24_000
	_, err := r.Engine.Start(ctx, "r1", rein.Task{Flow: "operate", Budget: &budget, Tools: []string{"snap"}, Messages: []rein.Message{{Role: rein.User, Text: "Look."}}})
	rig.Check(t, err)
	end, err := r.Engine.Wait(ctx, "r1")
	rig.Check(t, err)
	got := p.requests()
	raw, err := json.Marshal(got[len(got)-1])
	rig.Check(t, err)
	if end.End != rein.EndLimit || len(got) != 2 || strings.Contains(string(raw), "base64") || !strings.Contains(string(raw), "[image image/png 40×30") {
		t.Errorf("it ended as %+v after %d requests, the last with %.1000s", end, len(got), raw)
	}
}

// A flow that sends the images themselves with its closing call is given the words for them.
func TestReserveHasNoRoomForImages(t *testing.T) {
	t.Parallel()
	p := &provider{api: "chat"}
	web := httptest.NewServer(p)
	defer web.Close()
	r := rig.Open(t, rig.Options{})
	flows := map[string]rein.Flow{"closing": {Do: func(run rein.Run, task rein.Task) (rein.Outcome, error) {
		_, err := run.CallModel(rein.Prompt{Messages: task.Messages})
		if rein.CodeOf(err) != rein.CodeBudget {
			return rein.Outcome{Text: "not spent"}, err
		}
		reply, err := run.CallModel(rein.Prompt{Messages: task.Messages, Closing: true})
		return rein.Outcome{Text: reply.Text + "closed"}, err
	}}}
	r.Begin(engine.Options{Flows: flows, Worker: mediaWorker(t, p.model(t, web.URL, true))})
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	budget := rein.DefaultBudget()
	budget.Tokens = 8000 // less than an image
	_, err := r.Engine.Start(ctx, "r1", rein.Task{Flow: "closing", Budget: &budget, Messages: []rein.Message{{Role: rein.User, Text: "Look.", Images: []rein.Image{{Data: drawn(t, 1)}}}}})
	rig.Check(t, err)
	end, err := r.Engine.Wait(ctx, "r1")
	rig.Check(t, err)
	raw, err := json.Marshal(p.requests())
	rig.Check(t, err)
	if end.Text != "closed" || !strings.Contains(string(raw), "[image image/png 40×30") || strings.Contains(string(raw), "base64") {
		t.Errorf("it ended as %+v, and was sent %.500s", end, raw)
	}
}

// A camera that shows something else each time does not repeat itself, though its words do.
func TestNewImagesAreProgress(t *testing.T) {
	t.Parallel()
	for _, moves := range []bool{true, false} {
		var shade uint8
		camera := rein.Tool{Name: "snap", Effect: rein.Pure, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			if moves {
				shade++
			}
			return rein.Done{Text: "Click.", Images: []rein.Image{{Data: drawn(t, shade)}}}, nil
		}}
		model := rig.Script(t, "when turn=1\ncall snap {}\nwhen turn=2\ncall snap {}\nwhen turn=3\ncall snap {}\nwhen\nsay over\n")
		r := rig.Open(t, rig.Options{})
		r.Begin(engine.Options{Flows: flow.All(), Worker: mediaWorker(t, model, camera)})
		ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
		defer cancel()
		_, err := r.Engine.Start(ctx, "r1", rein.Task{Flow: "operate", Tools: []string{"snap"}, Messages: []rein.Message{{Role: rein.User, Text: "Look."}}})
		rig.Check(t, err)
		_, err = r.Engine.Wait(ctx, "r1")
		rig.Check(t, err)
		refused := 0
		for e, err := range r.Store.Events(ctx, "r1", 0) {
			rig.Check(t, err)
			if end, err := rein.Payload[rein.StepEnd](e); e.Kind == rein.StepDone && err == nil && end.Result != nil && end.Result.Status == rein.ToolRefused && strings.Contains(end.Result.Text, "this very call") {
				refused++
			}
		}
		if (refused == 0) != moves {
			t.Errorf("moves %v: %d calls were refused", moves, refused)
		}
	}
}

// A run that an older program started has its images in its log, and goes on with them.
func TestImagesOfOlderLogs(t *testing.T) {
	t.Parallel()
	brought := drawn(t, 5)
	p := &provider{api: "anthropic"}
	web := httptest.NewServer(p)
	defer web.Close()
	r := rig.Open(t, rig.Options{})
	budget := rein.DefaultBudget()
	task := rein.Task{Flow: "chat", Household: "home", User: "ann", Session: "s", Budget: &budget, Messages: []rein.Message{{Role: rein.User, Text: "Look.", Images: []rein.Image{{Type: "image/png", Data: brought}}}}}
	_, _, err := r.Store.Start(t.Context(), store.Start{Run: "r1", Start: rein.RunStart{Task: task}})
	rig.Check(t, err)
	r.Begin(engine.Options{Flows: flow.All(), Worker: mediaWorker(t, p.model(t, web.URL, true))})
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	_, err = r.Engine.Wait(ctx, "r1")
	rig.Check(t, err)
	raw, err := json.Marshal(p.requests()[0])
	rig.Check(t, err)
	if !strings.Contains(string(raw), base64.StdEncoding.EncodeToString(brought)) {
		t.Errorf("the model was sent %.500s", raw)
	}
	if v, err := r.Store.Verify(ctx, "r1"); err != nil || len(v.Wrong) > 0 {
		t.Errorf("audit: %q %v", v.Wrong, err)
	}
}
