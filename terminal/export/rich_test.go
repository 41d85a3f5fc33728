package export

import (
	"strings"
	"testing"

	"rein/internal/linear"
)

// What a model writes does not hold up an export, however it is nested and repeated.
func TestRichIsQuick(t *testing.T) {
	for _, s := range []string{"*a_", "**a", "_a*\n", "~~a_", "1. ", "> ", "- ", "> 1. ", "* + ", "`", "<a ", "](", "| a ", "&#", "  - a\n", strings.Repeat("*a_", 1500) + "\n\n"} {
		linear.Check(t, s, maxRich, func(size int) { rich(strings.Repeat(s, size/len(s))) })
	}
}

// Models' Markdown is rendered, and what could do something in it is shown as text.
func TestRich(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"**b** `c` ~~d~~", "<p><strong>b</strong> <code>c</code> <del>d</del></p>\n"},
		{"# a", "<h4>a</h4>\n"},
		{"###### a", "<h6>a</h6>\n"},
		{"- [x] a\n- b", "<ul>\n<li class=\"task\">☑ a</li>\n<li>b</li>\n</ul>\n"},
		{"```go\"><b>\nx < y\n```", "<pre><code>x &lt; y\n</code></pre>\n"},
		{"a <b>c</b>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n"},
		{"<div>\nx\n</div>", "<pre><code>&lt;div&gt;\nx\n&lt;/div&gt;</code></pre>\n"},
		{"![cat](https://e.x/c.png)", "<p>[image: cat <code>https://e.x/c.png</code>]</p>\n"},
		{"[a](javascript:x)", "<p>a <code>javascript:x</code></p>\n"},
		{"[a](/etc)", "<p>a <code>/etc</code></p>\n"},
		{"[a](https://e.x/?q=\"&r)", "<p><a href=\"https://e.x/?q=&#34;&amp;r\" title=\"https://e.x/?q=&#34;&amp;r\" rel=\"noopener noreferrer nofollow\">a</a></p>\n"},
		{"<ann@e.x>", "<p><a href=\"mailto:ann@e.x\" title=\"mailto:ann@e.x\" rel=\"noopener noreferrer nofollow\">ann@e.x</a></p>\n"},
		{"a &#x202e; b\u202e", "<p>a \\u202e b\\u202e</p>\n"},
		{strings.Repeat("> ", 100) + "<b>", "<p class=\"plain\">" + strings.Repeat("&gt; ", 100) + "&lt;b&gt;</p>"},
	} {
		if got := string(rich(c.text)); got != c.want {
			t.Errorf("%.60q becomes\n%q, want\n%q", c.text, got, c.want)
		}
	}
}
