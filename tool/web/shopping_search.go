package web

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"rein"
	"rein/tool"
)

//go:embed shopping_search.md
var shoppingText string

type shoppingArgs struct {
	Query    string `json:"query" jsonschema:"the product to look for" min:"1" max:"400"`
	Count    int    `json:"count,omitempty" jsonschema:"how many offers to return" min:"1" max:"20" default:"8"`
	Country  string `json:"country,omitempty" jsonschema:"two letters of the country to shop in, such as nl, if the service knows countries" max:"2"`
	Language string `json:"language,omitempty" jsonschema:"the language of offers, such as nl" max:"10"`
}

// Offers is the Data of web.shopping_search.
type Offers struct {
	Service string   `json:"service"`
	Query   string   `json:"query"`
	Offers  []Offer  `json:"offers"`
	Notices []string `json:"notices,omitempty"`
}

// An Offer is a product that somebody sells, as the service describes it. All of it is outside text.
type Offer struct {
	Title    string  `json:"title"`
	URL      string  `json:"url"`
	Price    string  `json:"price,omitempty"` // with its currency, as it is written there
	OldPrice string  `json:"old_price,omitempty"`
	Seller   string  `json:"seller,omitempty"`
	Delivery string  `json:"delivery,omitempty"`
	About    string  `json:"about,omitempty"`
	Rating   float64 `json:"rating,omitempty"`
	Reviews  int64   `json:"reviews,omitempty"`
}

// ShoppingSearch is the tool web.shopping_search.
func (w *Web) ShoppingSearch() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "web.shopping_search", Family: "web", Text: shoppingText, Effect: rein.Pure, Timeout: callTimeout}, w.shopping)
}

func (w *Web) shopping(ctx context.Context, inv rein.Invocation, args shoppingArgs) (rein.Done, error) {
	a, err := w.use(ctx, inv, "web.shopping_search", func(s Settings) Service { return s.Shopping })
	if err != nil {
		return rein.Done{}, err
	}
	if args.Query = strings.TrimSpace(args.Query); args.Query == "" {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "the query is empty: say what to look for")
	}
	ask := map[string]func(asked, context.Context, shoppingArgs) (Offers, error){SearXNG: asked.searxngOffers, SerpAPI: asked.serpapi}[a.service.Kind]
	if ask == nil {
		return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "%q has no offers: set web.shopping to one of %s", a.service.Kind, strings.Join(ShoppingServices, ", "))
	}
	found, err := ask(a, ctx, args)
	if err != nil {
		return rein.Done{}, err
	}
	found.Service, found.Query = a.service.Kind, args.Query
	found.tidy(args.Count)
	return done(found.text(), found)
}

// searxngOffers asks the engines that SearXNG has in its category shopping. Where there are none it answers with
// pages instead, which are no offers.
func (a asked) searxngOffers(ctx context.Context, args shoppingArgs) (Offers, error) {
	got, err := a.askSearXNG(ctx, url.Values{"q": {args.Query}, "categories": {"shopping"}, "pageno": {"1"}}, args.Language)
	if err != nil {
		return Offers{}, err
	}
	found := Offers{Notices: got.notices()}
	for _, r := range got.Results {
		if r.Category != "shopping" {
			continue
		}
		found.Offers = append(found.Offers, Offer{
			Title: r.Title, URL: r.URL, Price: r.Price, Delivery: strings.Join(strings.Fields(r.Shipping+" "+r.SourceCountry), " "), About: strings.TrimSpace(r.Content + " " + r.Metadata),
		})
	}
	if len(found.Offers) == 0 && len(got.Results) > 0 {
		return Offers{}, rein.Errorf(rein.CodeUnavailable, "this SearXNG has no engine for offers: enable one of its category shopping, such as ebay or geizhals")
	}
	return found, nil
}

// A serpapiAnswer is what /search.json of SerpApi answers for the engine google_shopping.
type serpapiAnswer struct {
	Error   string
	Results []struct {
		Title       string
		Link        string
		ProductLink string `json:"product_link"`
		Source      string
		Price       string
		OldPrice    string `json:"old_price"`
		Delivery    string
		Snippet     string
		Condition   string `json:"second_hand_condition"`
		Rating      json.Number
		Reviews     json.Number
	} `json:"shopping_results"`
}

// letters is a code of a country or a language.
var letters = regexp.MustCompile(`^[a-z]{2}$`)

func (a asked) serpapi(ctx context.Context, args shoppingArgs) (Offers, error) {
	query := url.Values{"engine": {"google_shopping"}, "q": {args.Query}}
	if country := strings.ToLower(args.Country); letters.MatchString(country) {
		query.Set("gl", country)
	}
	if language, _, _ := strings.Cut(strings.ToLower(args.Language), "-"); letters.MatchString(language) {
		query.Set("hl", language)
	}
	raw, err := a.ask(ctx, question{path: "search.json", query: query, private: "api_key"})
	if err != nil {
		return Offers{}, err
	}
	var got serpapiAnswer
	if err := a.read(raw, &got); err != nil {
		return Offers{}, err
	}
	found := Offers{}
	if got.Error != "" && len(got.Results) == 0 {
		found.Notices = append(found.Notices, "it says: "+line(got.Error, 200)) // so it answers when there is nothing
	}
	for _, r := range got.Results {
		rating, _ := r.Rating.Float64() // none is zero
		reviews, _ := r.Reviews.Int64()
		found.Offers = append(found.Offers, Offer{
			Title: r.Title, URL: firstOf(r.Link, r.ProductLink), Price: r.Price, OldPrice: r.OldPrice, Seller: r.Source, Delivery: r.Delivery,
			About: strings.TrimSpace(r.Condition + " " + r.Snippet), Rating: rating, Reviews: reviews,
		})
	}
	return found, nil
}

// firstOf is the first of some addresses that is one of the web.
func firstOf(addresses ...string) string {
	for _, address := range addresses {
		if good, ok := webAddress(address); ok {
			return good
		}
	}
	return ""
}

// tidy makes plain lines of the offers and drops those that cannot be looked at.
func (o *Offers) tidy(most int) {
	kept := []Offer{}
	for _, offer := range o.Offers {
		address, ok := webAddress(offer.URL)
		if !ok || len(kept) == most {
			continue
		}
		offer.URL, offer.Title, offer.About = address, line(offer.Title, 200), line(offer.About, 300)
		offer.Price, offer.OldPrice = line(offer.Price, 60), line(offer.OldPrice, 60)
		offer.Seller, offer.Delivery = line(offer.Seller, 100), line(offer.Delivery, 100)
		kept = append(kept, offer)
	}
	o.Offers = kept
}

func (o *Offers) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d offers of %s for %q.\n", len(o.Offers), o.Service, o.Query)
	for i, offer := range o.Offers {
		fmt.Fprintf(&b, "\n%d. %s\n   %s\n   %s\n", i+1, offer.Title, offer.terms(), offer.URL)
		if offer.About != "" {
			b.WriteString("   " + offer.About + "\n")
		}
	}
	for _, n := range o.Notices {
		b.WriteString("\n[" + n + "]\n")
	}
	return b.String()
}

// terms says what an offer costs, who sells it, and what people think of it.
func (o Offer) terms() string {
	parts := []string{"no price given"}
	if o.Price != "" {
		parts[0] = o.Price
	}
	if o.OldPrice != "" {
		parts[0] += " (before: " + o.OldPrice + ")"
	}
	if o.Seller != "" {
		parts = append(parts, o.Seller)
	}
	if o.Delivery != "" {
		parts = append(parts, o.Delivery)
	}
	if o.Rating > 0 {
		parts = append(parts, fmt.Sprintf("rated %.1f by %d", o.Rating, o.Reviews))
	}
	return strings.Join(parts, "; ")
}
