package anthropic_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

//go:embed testdata/exchanges.txtar
var ownExchanges []byte

// builtin returns our own exchanges: pairs of NAME.json or NAME.sse and NAME.want.
func builtin() []exchange {
	var all []exchange
	files := txtar.Parse(ownExchanges).Files
	for i := 0; i+1 < len(files); i += 2 {
		x := exchange{Src: "own", File: files[i].Name, id: "own", k: len(all), Status: 200, Response: string(files[i].Data)}
		x.Stream = strings.HasSuffix(x.File, ".sse")
		x.Headers = map[string][]string{"content-type": {"application/json"}}
		if x.Stream {
			x.Headers["content-type"] = []string{"text/event-stream; charset=utf-8"}
		}
		x.want = new(expected)
		if err := json.Unmarshal(files[i+1].Data, x.want); err != nil {
			panic(fmt.Sprintf("%s: %v", files[i+1].Name, err))
		}
		all = append(all, x)
	}
	return all
}

func TestBuiltin(t *testing.T) {
	if n := len(builtin()); n < 6 {
		t.Errorf("%d exchanges of our own", n)
	}
}
