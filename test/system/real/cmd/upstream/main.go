// Prints what this version of Kubernetes says about its built-in types and resources, as JSON.
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
	if err := encoder.Encode(map[string]any{"resources": resources, "types": types(resources)}); err != nil {
		panic(err)
	}
}
