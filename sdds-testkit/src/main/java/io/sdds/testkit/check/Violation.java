package io.sdds.testkit.check;

import java.util.List;

/**
 * A promise that a history shows broken.
 *
 * @param text what is wrong, in a line
 * @param operations those that show it, as few as could be found
 */
public record Violation(String text, List<Operation> operations) {
    public Violation {
        operations = List.copyOf(operations);
    }

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder(text);
        operations.forEach(operation -> all.append("\n    ").append(operation));
        return all.toString();
    }
}
