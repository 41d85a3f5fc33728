package openai

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// A chunkScan reads the chunks that nearly all of a stream consists of: a few known fields, each with the
// value that it usually has. It stops at anything else, and the chunk is then decoded in full, which
// allocates and takes several times as long. What it does read it reads as the full decoder does; a test
// compares both on all recorded traffic.
type chunkScan struct {
	data      []byte
	at        int
	contentAt int // where the last content began
}

// scanChunk reads a chunk, or reports that it has to be decoded in full. The raw values of the body are
// parts of data. It returns where the content begins, if the chunk has one.
func scanChunk(data []byte, body *chatBody) (contentAt int, ok bool) {
	s := chunkScan{data: data}
	ok = s.object(func(key []byte) bool {
		switch string(key) {
		case "choices":
			return s.list(func() bool {
				body.Choices = append(body.Choices, chatChoice{})
				return s.choice(&body.Choices[len(body.Choices)-1])
			})
		case "model":
			return s.text(&body.Model)
		case "id", "object", "created", "system_fingerprint", "service_tier", "obfuscation", "provider", "p", "prompt_filter_results":
			return s.skip()
		case "usage", "error", "x_groq":
			return s.null()
		}
		return false
	}) && s.atEnd()
	return s.contentAt, ok
}

func (s *chunkScan) choice(c *chatChoice) bool {
	return s.object(func(key []byte) bool {
		switch string(key) {
		case "index":
			return s.small(&c.Index)
		case "delta":
			return s.object(func(key []byte) bool { return s.deltaField(key, &c.Delta) })
		case "finish_reason":
			return s.null() || s.text(&c.Finish)
		case "logprobs", "error":
			return s.null()
		case "native_finish_reason", "content_filter_results", "content_filter_offsets":
			return s.skip()
		}
		return false
	})
}

func (s *chunkScan) deltaField(key []byte, msg *chatMessage) bool {
	switch string(key) {
	case "role", "channel":
		return s.skip()
	case "content":
		if s.null() {
			return true
		}
		ok := s.raw((*[]byte)(&msg.Content))
		s.contentAt = s.at - len(msg.Content)
		return ok
	case "refusal":
		return s.null() || s.text(&msg.Refusal)
	case "reasoning_content":
		return s.null() || s.text(&msg.ReasoningContent)
	case "reasoning":
		return s.null() || s.raw((*[]byte)(&msg.Reasoning))
	case "tool_calls":
		return s.null() || s.list(func() bool {
			msg.ToolCalls = append(msg.ToolCalls, chatCall{})
			return s.call(&msg.ToolCalls[len(msg.ToolCalls)-1])
		})
	case "function_call", "audio":
		return s.null()
	}
	return false
}

func (s *chunkScan) call(c *chatCall) bool {
	return s.object(func(key []byte) bool {
		switch string(key) {
		case "index":
			var n int
			ok := s.small(&n)
			c.Index = &n
			return ok
		case "id":
			return s.null() || s.text(&c.ID)
		case "type":
			return s.skip()
		case "function":
			return s.object(func(key []byte) bool {
				switch string(key) {
				case "name":
					return s.null() || s.text(&c.Function.Name)
				case "arguments":
					return s.null() || s.raw((*[]byte)(&c.Function.Arguments))
				}
				return false
			})
		}
		return false
	})
}

func (s *chunkScan) blank() {
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

func (s *chunkScan) atEnd() bool {
	s.blank()
	return s.at == len(s.data)
}

// is reads a character that must be next.
func (s *chunkScan) is(c byte) bool {
	s.blank()
	if s.at < len(s.data) && s.data[s.at] == c {
		s.at++
		return true
	}
	return false
}

// object reads an object. No name may come twice: which of two values holds is the full decoder's to say.
func (s *chunkScan) object(field func(key []byte) bool) bool {
	if !s.is('{') {
		return false
	}
	if s.is('}') {
		return true
	}
	var seen [16][]byte
	for n := 0; n < len(seen); n++ {
		if !s.raw(&seen[n]) || bytes.IndexByte(seen[n], '\\') >= 0 || !s.is(':') {
			return false
		}
		key := seen[n]
		if slices.ContainsFunc(seen[:n], func(other []byte) bool { return bytes.Equal(other, key) }) || !field(key[1:len(key)-1]) {
			return false
		}
		if !s.is(',') {
			return s.is('}')
		}
	}
	return false
}

func (s *chunkScan) list(element func() bool) bool {
	if !s.is('[') {
		return false
	}
	if s.is(']') {
		return true
	}
	for {
		if !element() {
			return false
		}
		if !s.is(',') {
			return s.is(']')
		}
	}
}

// raw reads a string and leaves it quoted.
func (s *chunkScan) raw(into *[]byte) bool {
	if !s.is('"') {
		return false
	}
	begin := s.at - 1
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; {
		case c == '"':
			s.at++
			*into = s.data[begin:s.at]
			return utf8.Valid(*into) && escapesAreKnown(*into)
		case c == '\\':
			s.at++
		case c < ' ':
			return false
		}
	}
	return false
}

// escapesAreKnown reports whether every backslash stands before a character that JSON allows there. Escaped code
// units are left to the full decoder.
func escapesAreKnown(quoted []byte) bool {
	for i := bytes.IndexByte(quoted, '\\'); i >= 0 && i+1 < len(quoted); i += 2 {
		if bytes.IndexByte([]byte(`"\/bfnrt`), quoted[i+1]) < 0 {
			return false
		}
		next := bytes.IndexByte(quoted[i+2:], '\\')
		if next < 0 {
			return true
		}
		i += next
	}
	return true
}

// text reads a string. One that is there already is not made again: each chunk names the model.
func (s *chunkScan) text(into *string) bool {
	var quoted []byte
	if !s.raw(&quoted) {
		return false
	}
	if string(quoted[1:len(quoted)-1]) == *into && bytes.IndexByte(quoted, '\\') < 0 {
		return true
	}
	*into = unquoted(quoted)
	return true
}

// skip passes over a value.
func (s *chunkScan) skip() bool { return s.skipTo(4) }

// skipTo passes over a value with so many lists and objects inside each other at most.
func (s *chunkScan) skipTo(depth int) bool {
	if depth == 0 {
		return false
	}
	s.blank()
	if s.at == len(s.data) {
		return false
	}
	var n int
	var quoted []byte
	switch s.data[s.at] {
	case '"':
		return s.raw(&quoted)
	case '{':
		return s.object(func([]byte) bool { return s.skipTo(depth - 1) })
	case '[':
		return s.list(func() bool { return s.skipTo(depth - 1) })
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.null()
	}
	return s.small(&n)
}

// small reads a whole number without a sign, of at most 18 digits.
func (s *chunkScan) small(into *int) bool {
	s.blank()
	begin, n := s.at, 0
	for ; s.at < len(s.data) && s.data[s.at] >= '0' && s.data[s.at] <= '9'; s.at++ {
		n = n*10 + int(s.data[s.at]-'0')
		if s.at-begin >= 18 {
			return false
		}
	}
	if s.at == begin || s.at-begin > 1 && s.data[begin] == '0' {
		return false
	}
	if s.at < len(s.data) && bytes.IndexByte([]byte(".eE"), s.data[s.at]) >= 0 {
		return false
	}
	*into = n
	return true
}

func (s *chunkScan) null() bool { return s.word("null") }

func (s *chunkScan) word(word string) bool {
	s.blank()
	if len(s.data)-s.at >= len(word) && string(s.data[s.at:s.at+len(word)]) == word {
		s.at += len(word)
		return true
	}
	return false
}
