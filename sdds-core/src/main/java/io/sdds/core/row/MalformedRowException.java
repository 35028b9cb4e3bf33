package io.sdds.core.row;

/** The bytes of a row, a key or a column are not what an encoder makes: damaged, or written without the schema. */
public final class MalformedRowException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param problem what is wrong, without the words "row cannot be read" */
    public MalformedRowException(String problem) {
        super("row cannot be read: " + problem);
    }
}
