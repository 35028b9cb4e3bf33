package io.sdds.cli.quick;

import java.util.List;

/** No process listens at any of the given addresses. */
public final class NobodyThereException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NobodyThereException(List<String> addresses, List<String> reasons) {
        super("no answer from " + String.join(", ", addresses) + " (" + reason(reasons) + ")");
    }

    /** The reason of the last failed dial, without the address. */
    private static String reason(List<String> reasons) {
        String last = reasons.get(reasons.size() - 1);
        return last.substring(last.indexOf(": ") + 2);
    }
}
