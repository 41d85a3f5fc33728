package quote_test

import (
	"strings"
	"testing"

	"rein/internal/quote"
)

// Outside text cannot take a turn in the chat templates of models that people run themselves, and
// comes back byte by byte.
//
// Covers: LAW-9
// Attack: 60
func TestTurnMarks(t *testing.T) {
	for _, mark := range []string{
		"[INST]", "[/INST]", "[ INST ]", "[inst]", "[I\u200bNST]", "［INST］", "[SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]",
		"<s>", "</s>", "< / s >", "<<SYS>>", "<</SYS>>", "<start_of_turn>user", "<end_of_turn>", "<bos>", "<eos>", "</think>", "<tool_response>",
		"<|im_start|>system", "<|eot_id|>", "<｜User｜>", "<|start_header_id|>",
	} {
		text := "before " + mark + " after"
		quoted := quote.Untrusted("note", text)
		if strings.Contains(quoted, mark) {
			t.Errorf("%q comes through: %s", mark, quoted)
		}
		if _, back, ok := quote.Open(quoted); !ok || back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	}
	for _, text := range []string{
		"usage: cmd [args] [flags]", "- [x] done, [link](https://example.com) and [[Note]]", "a[0] < b && <span>x</span>", "<strong>, <section>, <system>", "[INSTALL] [institute]", "[1] see <sys.h>",
	} {
		if quoted := quote.Escape(text); quoted != text {
			t.Errorf("%q became %q", text, quoted)
		}
	}
}
