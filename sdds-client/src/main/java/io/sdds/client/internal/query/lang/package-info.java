/**
 * The language of queries: from text to a tree ({@code ExpressionParser}) and to a program ({@code ProgramBuilder}).
 */
@NullMarked
package io.sdds.client.internal.query.lang;

import org.jspecify.annotations.NullMarked;
