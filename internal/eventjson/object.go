package eventjson

import (
	"bytes"
	"encoding/json"
	"strconv"

	"rein/internal/jsontext"
)

// An object is JSON that is being written. Its methods write a key with its value, and, except must and
// always, leave a value out that is empty.
type object struct {
	b       []byte
	unknown bool // it cannot be written so: encoding/json knows, or knows what is wrong
}

func (o *object) open()  { o.b = append(o.b, '{') }
func (o *object) close() { o.b = append(o.b, '}') }

// null writes null, if it is.
func (o *object) null(is bool) bool {
	if is {
		o.b = append(o.b, "null"...)
	}
	return is
}

// key writes a key. No value ends with a brace that opens.
func (o *object) key(key string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, key...)
	o.b = append(o.b, '"', ':')
}

func (o *object) must(key, text string) {
	o.key(key)
	o.b = jsontext.AppendString(o.b, text)
}

func (o *object) text(key, text string) {
	if text != "" {
		o.must(key, text)
	}
}

func (o *object) texts(key string, texts []string) {
	if len(texts) == 0 {
		return
	}
	o.key(key)
	o.b = append(o.b, '[')
	for i, text := range texts {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = jsontext.AppendString(o.b, text)
	}
	o.b = append(o.b, ']')
}

func (o *object) always(key string, n int64) {
	o.key(key)
	o.b = strconv.AppendInt(o.b, n, 10)
}

func (o *object) number(key string, n int64) {
	if n != 0 {
		o.always(key, n)
	}
}

func (o *object) flag(key string, is bool) {
	if is {
		o.key(key)
		o.b = append(o.b, "true"...)
	}
}

// raw writes JSON without the white space in it.
func (o *object) raw(key string, data json.RawMessage) {
	if len(data) == 0 {
		return
	}
	o.key(key)
	b := bytes.NewBuffer(o.b)
	if json.Compact(b, data) != nil {
		o.unknown = true
	}
	o.b = b.Bytes()
}

func (o *object) reflected(key string, value any) {
	o.key(key)
	o.reflect(value)
}

func (o *object) reflect(value any) {
	var err error
	if o.b, err = appendReflected(o.b, value); err != nil {
		o.unknown = true
	}
}
