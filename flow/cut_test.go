package flow_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/dispatch"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/flow"
	"rein/internal/flowtest"
	"rein/internal/labs"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/memory"
	"rein/tool/session"
)

// sampled is one scene of each flow, with as much in it as one has.
var sampled = []string{
	"answer/a1_cited", "strict/c3_answered", "scenes/explore", "operate/ask_user", "operate/b2_compaction",
	"assist/e2_task", "research/e4_ask", "task/e6_need_info", "task/context", "research/context", "critique/review", "remember/learns", "summarise/session",
}

// sceneFile is where a scene is: in the room of its flow, or here if it belongs to several.
func sceneFile(name string) string {
	flow, scene, _ := strings.Cut(name, "/")
	if flow == "scenes" {
		return "testdata/" + name + ".txtar"
	}
	return flow + "/testdata/" + scene + ".txtar"
}

var sqliteParts = enginetest.Parts{
	Open: func(t *testing.T, dir string, onCommit func([]rein.Event)) (enginetest.Store, error) {
		return sqlitetest.Open(t, filepath.Join(dir, "rein.db"), sqlite.Options{OnCommit: onCommit})
	},
	Dispatcher: func(limit int) dispatch.Dispatcher { return &local.Dispatcher{Limit: limit} },
}

// staged makes a world for a scene, with the flows and reads that people use.
func staged(t *testing.T, grace time.Duration, scene *flowtest.Scene) *enginetest.World {
	return stagedOn(t, sqliteParts, grace, scene)
}

func stagedOn(t *testing.T, parts enginetest.Parts, grace time.Duration, scene *flowtest.Scene) *enginetest.World {
	w := enginetest.Prepare(t, parts, grace, scene.Model)
	w.Tweak = func(o *engine.Options) {
		tools := maps.Clone(scene.Tools)
		for _, tool := range slices.Concat(session.Tools(w.Store), memory.Tools(w.Store.(*sqlite.Store), nil)) {
			if _, ok := tools[tool.Name]; !ok {
				tools[tool.Name] = tool
			}
		}
		o.Flows, o.Worker.Tools = flow.All(), tools
	}
	return w
}

// Every flow comes to the same end if it is cut off after any one of its events.
//
// Covers: LAW-10 LAW-2
func TestCuts(t *testing.T) {
	for _, name := range sampled {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := sceneFile(name)
			scene := flowtest.ReadScene(t, file)
			w := staged(t, time.Minute, scene)
			want := w.Cut(scene.Tasks, 0, scene.Answer)
			events := w.Commits()
			w.Kill()
			for n := 1; n < events; n++ {
				if !labs.Cell(n, 5) {
					continue
				}
				again := flowtest.ReadScene(t, file)
				w := staged(t, []time.Duration{time.Minute, engine.NoGrace}[n%2], again)
				if diff := cmp.Diff(want, w.Cut(again.Tasks, n, again.Answer)); diff != "" {
					t.Errorf("cut after event %d of %d: %s", n, events, diff)
				}
				w.Verify()
				w.Kill()
			}
		})
	}
}
