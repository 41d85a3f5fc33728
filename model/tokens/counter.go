package tokens

import (
	"hash/maphash"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// A counter counts the tokens of texts: with a vocabulary, or by their bytes.
type counter struct {
	vocab    func() *codec.Codec // nil: by bytes
	perToken float64             // bytes, where there is no vocabulary or no time
	seen     cache
}

// The vocabularies are large: only two are linked, and each is made when it is first needed. Bytes
// per token are rules of thumb, rather low, so that a guess is rather too high.
var (
	o200k = &counter{vocab: sync.OnceValue(codec.NewO200kBase), perToken: 3.8}
	cl100 = &counter{vocab: sync.OnceValue(codec.NewCl100kBase), perToken: 3.6}
	dense = &counter{perToken: 3.2} // models whose tokens are known to be short
	plain = &counter{perToken: 4}
)

// families says how names of models begin and what counts their tokens. The first that fits holds.
var families = []struct {
	prefix string
	by     *counter
}{
	{"gpt-4o", o200k},
	{"gpt-4.1", o200k},
	{"gpt-4.5", o200k},
	{"gpt-4", cl100},
	{"gpt-3.5", cl100},
	{"gpt-35", cl100},
	{"text-embedding", cl100},
	{"gpt-", o200k},
	{"chatgpt-", o200k},
	{"o1", o200k},
	{"o3", o200k},
	{"o4", o200k},
	{"codex-", o200k},
	{"claude", dense},
	{"gemma", dense},
	{"llama2", dense},
	{"llama-2", dense},
}

// counterFor chooses by the model's name, without the provider before it.
func counterFor(model string) *counter {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	name = strings.TrimPrefix(name, "ft:")
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return f.by
		}
	}
	return plain
}

// A budget is how long one request may take to count. The clock is looked at between pieces, which
// are short because some texts take the square of their length.
type budget struct{ until time.Time }

const (
	maxTime = 20 * time.Millisecond
	piece   = 1 << 10  // bytes that are counted at once
	whole   = 32 << 10 // the longest text that is counted as a whole
	samples = 16       // pieces of a longer one
)

func newBudget() *budget { return &budget{until: time.Now().Add(maxTime)} }

func (b *budget) isSpent() bool { return !time.Now().Before(b.until) }

func (c *counter) count(text string, b *budget) int64 {
	if text == "" {
		return 0
	}
	if c.vocab == nil {
		return c.byBytes(len(text))
	}
	key := textKey{maphash.String(seed, text), len(text)}
	if n, ok := c.seen.get(key); ok {
		return n
	}
	if b.isSpent() {
		return c.byBytes(len(text))
	}
	n, complete := c.byVocabulary(text, b)
	if complete {
		c.seen.put(key, n)
	}
	return n
}

func (c *counter) byBytes(n int) int64 { return int64(float64(n)/c.perToken) + 1 }

// byVocabulary counts a text in pieces, a long one in samples of it. It is not complete if time ran
// out, and what was counted stood for the rest.
func (c *counter) byVocabulary(text string, b *budget) (n int64, complete bool) {
	vocab := c.vocab()
	var counted, looked int64
	for start := 0; start < len(text); {
		if looked > 0 && b.isSpent() {
			return share(counted, looked, len(text)), false
		}
		part := cut(text[start:])
		n, ok := tokensOf(vocab, part)
		if !ok {
			return c.byBytes(len(text)), true
		}
		counted, looked = counted+n, looked+int64(len(part))
		if start += len(part); len(text) > whole {
			start += len(text)/samples - len(part)
		}
	}
	return share(counted, looked, len(text)), true
}

// share is the tokens of so many bytes, if those that were looked at are like the rest.
func share(counted, looked int64, length int) int64 {
	return max(counted*int64(length)/max(looked, 1), 1)
}

// cut returns the first piece of a text. It ends at a space or between letters where there is one.
func cut(text string) string {
	if len(text) <= piece {
		return text
	}
	if i := strings.LastIndexByte(text[piece/2:piece], ' '); i >= 0 {
		return text[:piece/2+i]
	}
	end := piece
	for end > piece-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// tokensOf counts a piece, and is not ok if the tokenizer fails in any way.
func tokensOf(vocab *codec.Codec, text string) (n int64, ok bool) {
	defer func() {
		if recover() != nil {
			n, ok = 0, false
		}
	}()
	k, err := vocab.Count(text)
	return int64(k), err == nil
}

var seed = maphash.MakeSeed()
