/**
 * SQL over the tables of a cluster: the JDBC driver {@link io.sdds.sql.SddsDriver}. Applications use {@code java.sql}
 * alone; all else here and in the packages below is internal.
 */
@NullMarked
package io.sdds.sql;

import org.jspecify.annotations.NullMarked;
