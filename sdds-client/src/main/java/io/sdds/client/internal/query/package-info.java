/** Queries over many records: the question, the order of the results, and the cursor or consumer that takes them. */
@NullMarked
package io.sdds.client.internal.query;

import org.jspecify.annotations.NullMarked;
