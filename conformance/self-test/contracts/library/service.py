"""A FastAPI application as its tutorial writes one. Its contract is the one that FastAPI generates."""

import os
from enum import Enum
from itertools import count
from typing import Annotated, Any

from fastapi import FastAPI, Form, HTTPException, Path, Query, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, BeforeValidator, Field


def planted(error):
    return os.environ.get("PLANTED") == error


class Genre(str, Enum):
    novel = "novel"
    poems = "poems"
    essay = "essay"


def whole(value: Any) -> int:
    if type(value) not in (int, float) or value % 1 != 0:
        raise ValueError("This is no whole number.")
    return int(value)


MOST_PAGES = 20000 if planted("maximum-is-not-checked") else 5000
PRICE_IS_ABOVE = -1e-300 if planted("zero-is-accepted") else 0


class BookIn(BaseModel):
    title: Annotated[str, Field(min_length=1, max_length=40)]
    author: str | None = None
    genre: Genre = Genre.novel
    pages: Annotated[int, Field(ge=1, le=MOST_PAGES), BeforeValidator(whole)]
    price: Annotated[float, Field(gt=PRICE_IS_ABOVE, le=999, strict=True)] | None = None
    tags: Annotated[list[str], Field(max_length=4)] = []


class BookUpdate(BaseModel):
    title: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    author: str | None = None
    price: Annotated[float, Field(gt=0, le=999, strict=True)] | None = None


class Book(BookIn):
    id: int
    review_count: int


class Review(BaseModel):
    id: int
    book_id: int
    stars: int
    text: str


class Error(BaseModel):
    detail: str


app = FastAPI(title="Library", responses={400: {"model": Error}})
missing = {404: {"model": Error}}
books, reviews = {}, {}
numbers, review_numbers = count(1), count(1)
Id = Annotated[int, Path(ge=1, le=2**31 - 1)]


@app.exception_handler(RequestValidationError)
def refuse(_, error):
    """The default repeats the input, which may be a number that JSON does not have."""
    shown = ("loc", "msg", "type")
    detail = [{key: one[key] for key in shown} for one in error.errors()]
    return JSONResponse({"detail": detail}, 422)


@app.exception_handler(405)
def refuse_method(request, _):
    """The default names the methods of one route."""
    routes = [route for route in app.routes if route.path_regex.match(request.url.path)]
    methods = set().union(*(route.methods for route in routes))
    headers = {"Allow": ", ".join(methods)}
    return JSONResponse({"detail": "There is no such method."}, 405, headers)


def book_of(book_id):
    if book_id not in books:
        raise HTTPException(404, "There is no such book.")
    return books[book_id]


def to_keep(sent):
    if planted("text-is-trimmed"):
        sent["title"] = sent["title"].strip()
    if planted("author-is-not-stored"):
        sent["author"] = None
    if planted("pages-are-16-bit-in-places") and sent["pages"] > 4095:
        sent["pages"] -= 4096
    return sent


@app.post("/books", status_code=201)
def create_book(sent: BookIn) -> Book:
    if planted("empty-list-ends-in-500") and sent.tags == [] and "tags" in sent.model_fields_set:
        raise RuntimeError("no first tag")
    number = len(books) + 1 if planted("ids-come-twice") else next(numbers)
    books[number] = Book(id=number, review_count=0, **to_keep(sent.model_dump()))
    return books[number]


@app.get("/books")
def list_books(
    genre: Genre | None = None,
    skip: Annotated[int, Query(ge=0, le=100000)] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 100,
) -> list[Book]:
    """The books of the genre, or all: the newest first."""
    genre = None if planted("filter-is-ignored") else genre
    found = [book for book in reversed(list(books.values())) if genre in (None, book.genre)]
    if planted("list-without-the-newest"):
        found = found[1:]
    if planted("pages-overlap") and skip > 0:
        skip -= 1
    return found[skip : skip + limit]


@app.get("/books/{book_id}", responses=missing)
def read_book(book_id: Id) -> Book:
    return book_of(book_id)


@app.put("/books/{book_id}", responses=missing)
def replace_book(book_id: Id, sent: BookIn) -> Book:
    old = book_of(book_id)
    new = to_keep(sent.model_dump())
    if planted("put-merges"):
        given = sent.model_dump(exclude_unset=True) | {"tags": sent.tags, "genre": sent.genre}
        new = {**old.model_dump(), **to_keep(given)}
    book = Book(**{**new, "id": book_id, "review_count": old.review_count})
    if not planted("put-is-lost"):
        books[book_id] = book
    return book


@app.patch("/books/{book_id}", responses=missing)
def update_book(book_id: Id, sent: BookUpdate) -> Book:
    """Changes what is sent, and nothing else; a title of null stays as it is."""
    changes = sent.model_dump(exclude_unset=not planted("patch-replaces"))
    if planted("null-changes-nothing"):
        changes = sent.model_dump(exclude_none=True)
    if changes.get("title") is None:
        changes.pop("title", None)
    old = book_of(book_id)
    if planted("patch-is-of-the-newest"):
        book_id = max(books)
    books[book_id] = books[book_id].model_copy(update=changes)
    return books[book_id] if not planted("patch-returns-the-old") else old


@app.delete("/books/{book_id}", status_code=204, responses=missing)
def delete_book(book_id: Id) -> Response:
    book_of(book_id)
    if not planted("delete-removes-nothing"):
        del books[book_id]
    return Response(status_code=204)


FEWEST_STARS = 0 if planted("stars-from-zero") else 1


@app.post("/books/{book_id}/reviews", status_code=201, responses=missing)
def add_review(
    book_id: Id,
    stars: Annotated[int, Form(ge=FEWEST_STARS, le=5)],
    text: Annotated[str, Form()] = "",
) -> Review:
    book_of(book_id).review_count += 1
    review = Review(id=next(review_numbers), book_id=book_id, stars=stars, text=text)
    if planted("form-text-is-lost"):
        review.text = ""
    reviews[review.id] = review
    return review


@app.get("/books/{book_id}/reviews", responses=missing)
def list_reviews(book_id: Id) -> list[Review]:
    book_of(book_id)
    if planted("reviews-of-all-books"):
        return list(reviews.values())
    return [one for one in reviews.values() if one.book_id == book_id]
