package io.sdds.testkit.check;

import java.util.List;

/**
 * A violation of a guarantee, shown by a history.
 *
 * @param text description of the violation, in one line
 * @param operations operations that show the violation, as few as could be found
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
