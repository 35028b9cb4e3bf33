package io.sdds.client;

/**
 * How many records a change of many records has changed ({@link Query#update}, {@link Query#remove}).
 *
 * @param changed records that were changed
 * @param skipped records that the query found, and that had changed or gone when their turn came: they did not meet its
 *     conditions any more. They are as another write left them
 */
public record ChangeCount(long changed, long skipped) {}
