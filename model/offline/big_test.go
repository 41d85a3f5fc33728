package offline_test

import (
	"strings"
	"testing"

	"rein"
)

// TestBigTexts goes through texts of half a megabyte that would take minutes if a rule were quadratic;
// the time limit of the test run is the judge.
func TestBigTexts(t *testing.T) {
	for _, piece := range []string{"{", `{"a":"`, "` ``", "<untrusted>x</untrusted>", "<", "a/b.md ", "pump\n", "[", "pump. "} {
		big := strings.Repeat(piece, 1<<19/len(piece))
		call := rein.ToolCall{ID: "1", Name: "find_similar", Args: []byte(`{"k":8,"queries":["pump"]}`)}
		for _, messages := range [][]rein.Message{
			{user(big)},
			{{Role: rein.System, Text: big}, user("Where is the pump?")},
			{user("Where is the pump?"), {Role: rein.Assistant, Calls: []rein.ToolCall{call}}, call.Answer(rein.ToolResult{Status: rein.ToolOK, Text: big})},
		} {
			for _, phase := range []string{"", "repair", "compact"} {
				r := rein.ModelRequest{Prompt: rein.Prompt{About: rein.About{Phase: phase}, Messages: messages}, Offered: offered(t, "read_file", "find_similar", "read_result")}
				checkReply(t, r, generate(t, r))
			}
		}
	}
}
