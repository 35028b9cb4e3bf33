package io.sdds.cli.quick;

import java.util.List;

/** Nothing listens at any of the addresses given. */
public final class NobodyThereException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NobodyThereException(List<String> addresses, List<String> reasons) {
        super("nobody answers at " + String.join(", ", addresses) + " (" + reason(reasons) + ")");
    }

    /** Of the address that was tried last, without naming it. */
    private static String reason(List<String> reasons) {
        String last = reasons.get(reasons.size() - 1);
        return last.substring(last.indexOf(": ") + 2);
    }
}
