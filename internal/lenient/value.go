package lenient

import "strings"

func (s *search) value() (Found, error) {
	_, found, strictErr := s.asWritten()
	if strictErr == nil || strictErr == errDepth {
		return found, strictErr
	}
	start, end := s.whole()
	if start == end {
		return Found{}, &Error{Msg: "there is no text", Offset: 0}
	}
	found, err := s.guessValue(start, end)
	if err != nil {
		if err != errDepth {
			err = strictErr
		}
		return Found{}, err
	}
	found.Repaired = true
	return found, nil
}

// guessValue knows that the text is not JSON. Of prose, the objects in it are tried first; a text
// that begins like a value is mended as a whole if no strict object can be cut out of it.
func (s *search) guessValue(start, end int) (Found, error) {
	text := s.text[start:end]
	notEmpty := func(r reading) bool { m, ok := r.value.(map[string]any); return ok && len(m) > 0 }
	pick := func() (Found, error) { return s.object(notEmpty, false) }
	mendWhole := func() (Found, error) { return s.mend(text, start, end, true) }
	attempts := []func() (Found, error){pick, mendWhole}
	switch {
	case noBraces(text):
		withBraces := func() (Found, error) { return s.mend("{"+text, start, end, false) }
		attempts = []func() (Found, error){withBraces, mendWhole, pick}
	case text[0] == '{':
		attempts = []func() (Found, error){s.strictObject(notEmpty), mendWhole, pick}
	case text[0] == '[' && !strings.HasPrefix(text[1:], fence), quoteAt(text) != 0 && text[0] != '`':
		attempts = []func() (Found, error){mendWhole, pick}
	}
	last := error(errNoObject)
	for _, attempt := range attempts {
		found, err := attempt()
		if err == nil {
			return found, nil
		}
		if err == errDepth {
			last = err
		}
	}
	return Found{}, last
}

// noBraces reports whether text begins like the inside of an object whose braces were forgotten.
func noBraces(text string) bool {
	ahead := text[:min(len(text), maxLookahead)]
	after := ahead[wordLen(ahead):]
	bare := len(after) < len(ahead)
	if q := ahead[0]; q == '"' || q == '\'' {
		n := strings.IndexByte(ahead[1:], q)
		after = ahead[n+2:]
	}
	after, colon := strings.CutPrefix(strings.TrimLeft(after, space), ":")
	after = strings.TrimLeft(after, space)
	return colon && (!bare || strings.HasPrefix(after, `"`) || strings.HasPrefix(after, "'"))
}
