package io.sdds.sql.shipped;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.util.JsonBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What EXPLAIN shows of a statement: an operator with its attributes, and the operators whose rows it takes.
 *
 * @param attributes in the order in which they are shown
 */
public record Explanation(String operator, Map<String, String> attributes, List<Explanation> inputs) {
    /** An operator over a table. */
    public static Explanation of(String operator, String table) {
        return new Explanation(operator, new LinkedHashMap<>(Map.of("table", table)), new ArrayList<>());
    }

    /** Adds an attribute that has a value. */
    public Explanation with(String name, @Nullable Object value) {
        if (value != null) {
            attributes.put(name, value.toString());
        }
        return this;
    }

    /** Adds an operator whose rows this one takes. */
    public Explanation over(Explanation input) {
        inputs.add(input);
        return this;
    }

    /** A line for each operator; inputs are indented. */
    public String text() {
        StringBuilder text = new StringBuilder();
        write(text, "");
        return text.toString();
    }

    private void write(StringBuilder text, String indentation) {
        text.append(indentation).append(operator).append('(');
        int first = text.length();
        attributes.forEach((name, value) -> text.append(text.length() == first ? "" : ", ")
                .append(name)
                .append("=[")
                .append(value)
                .append(']'));
        text.append(")\n");
        inputs.forEach(input -> input.write(text, indentation + "  "));
    }

    /** The same as JSON. */
    public String json() {
        JsonBuilder json = new JsonBuilder();
        StringBuilder text = new StringBuilder();
        json.append(text, 0, json(json));
        return text.toString();
    }

    private Map<String, @Nullable Object> json(JsonBuilder json) {
        Map<String, @Nullable Object> map = json.map();
        map.put("operator", operator);
        map.putAll(attributes);
        List<@Nullable Object> all = json.list();
        inputs.forEach(input -> all.add(input.json(json)));
        map.put("inputs", all);
        return map;
    }
}
