package io.sdds.cli.quick;

import java.util.List;

/** Nothing listens at any of the addresses given. */
public final class NobodyThereException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NobodyThereException(List<String> addresses, List<String> reasons) {
        super("nobody answers at " + String.join(", ", addresses) + " (" + reasons.get(reasons.size() - 1) + ")");
    }
}
