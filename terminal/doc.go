// Package terminal shows people what runs do: lines about tools and asks, the text of models as it is
// written, logs in words, and a status while nothing else happens. It reads lines from a keyboard and
// makes answers of them. It knows events and views, and neither who sends them nor what a command is, so
// that every client with a terminal can use it.
//
// Texts of models, tools and people are data. Whatever they hold, a terminal that shows them does
// nothing but show them: control characters are spelled out, and each row of such a text begins with a
// bar that nothing of rein's own has.
package terminal
