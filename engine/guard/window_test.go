package guard

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
)

// Covers: SD-73
func TestOnlyWhatSurelyDoesNotFitIsRefused(t *testing.T) {
	saying := func(n int) rein.ModelRequest {
		return rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: strings.Repeat("a", n)}}}}
	}
	seeing := saying(10)
	seeing.Messages[0].Images = make([]rein.Image, 100)
	thinking := saying(10)
	thinking.Messages[0].Raw = &rein.Raw{API: "x", Data: json.RawMessage(`"` + strings.Repeat("A", 9000) + `"`)}
	tooled := saying(10)
	tooled.Offered = []rein.Tool{{Name: "t", Schema: json.RawMessage(strings.Repeat(" ", 9000))}}
	for name, tc := range map[string]struct {
		request rein.ModelRequest
		window  int64
		fits    bool
	}{
		"short":                   {saying(100), 1000, true},
		"no window is known":      {saying(90_000), 0, true},
		"as long as the window":   {saying(4000), 1000, true},
		"within the margin":       {saying(6000), 1000, true},
		"beyond the margin":       {saying(6001), 1000, false},
		"images may be small":     {seeing, 1000, true},
		"thoughts may not count":  {thinking, 1000, true},
		"tools count as they are": {tooled, 1000, false},
	} {
		asked := 0
		r := tc.request
		estimate := func() int64 {
			asked++
			n := InputBound(Plainly(r.Messages), r.Offered, r.Schema) - perMessage*int64(len(r.Messages))
			return (n + 3) / 4
		}
		if got := Fits(InputBound(r.Messages, r.Offered, r.Schema), tc.window, estimate); got != tc.fits {
			t.Errorf("%s: fits is %v", name, got)
		}
		if bound := InputBound(tc.request.Messages, tc.request.Offered, nil); bound <= tc.window && asked > 0 {
			t.Errorf("%s: it surely fits and was estimated", name)
		}
	}
	if thinking.Messages[0].Raw == nil || len(seeing.Messages[0].Images) == 0 {
		t.Error("the request itself was changed")
	}
}
