// Prints what this version of Kubernetes says about its built-in types, resources, roles and initial objects, as JSON.
package main

import (
	"encoding/json"
	"os"
)

func main() {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	resources := resources()
	facts := map[string]any{
		"resources": resources, "types": types(resources), "forms": forms(resources), "roles": roles(),
		"seeds": seeds(resources),
	}
	if err := encoder.Encode(facts); err != nil {
		panic(err)
	}
}
