// Package examples has constructors with and without an Example.
package examples

type (
	Thing struct{}
	Fold  struct{}
)

func NewShown() Thing { return Thing{} }

func NewSilent() Thing { return Thing{} }

func Unix() *Thing { return hidden() }

func (*Fold) See() {}

func hidden() *Thing { return &Thing{} }
