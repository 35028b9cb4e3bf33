/** Errors of statements: SQLStates, and exceptions of all kinds as those of {@code java.sql}. */
@NullMarked
package io.sdds.sql.error;

import org.jspecify.annotations.NullMarked;
